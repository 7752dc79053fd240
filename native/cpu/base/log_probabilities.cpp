// Log softmax of the chosen and of the most probable tokens of each row.
#include "plain_kernels.h"

#include <algorithm>
#include <cmath>

namespace pl {

namespace {

inline float defined(float logit) { return std::isnan(logit) ? -INFINITY : logit; }

double logSum(const float *row, int64_t n) {
    float highest = -INFINITY;
    for (int64_t v = 0; v < n; v++) {
        highest = std::max(highest, defined(row[v]));
    }
    double sum = 0;
    for (int64_t v = 0; v < n; v++) {
        sum += std::exp(static_cast<double>(defined(row[v])) - highest);
    }
    return highest + std::log(sum);
}

// Keeps the k highest seen so far in order; equals stay in the order of their ids.
void highest(const float *row, int64_t n, int64_t k, int32_t *ids, float *values) {
    int64_t kept = 0;
    for (int64_t v = 0; v < n; v++) {
        float logit = defined(row[v]);
        if (kept == k && !(logit > values[k - 1])) {
            continue;
        }
        int64_t at = kept < k ? kept++ : k - 1;
        for (; at > 0 && logit > values[at - 1]; at--) {
            values[at] = values[at - 1];
            ids[at] = ids[at - 1];
        }
        values[at] = logit;
        ids[at] = static_cast<int32_t>(v);
    }
}

} // namespace

void logProbabilities(
        Context &context, int64_t rows, int64_t vocabulary, const float *logits, const int32_t *ids, float *chosen,
        int64_t k, int32_t *topIds, float *top) {
    auto run = [&](int64_t i, int) {
        const float *row = logits + i * vocabulary;
        double sum = logSum(row, vocabulary);
        chosen[i] = static_cast<float>(defined(row[ids[i]]) - sum);
        if (k > 0) {
            highest(row, vocabulary, k, topIds + i * k, top + i * k);
            for (int64_t j = 0; j < k; j++) {
                top[i * k + j] = static_cast<float>(top[i * k + j] - sum);
            }
        }
    };
    parallel(context, rows, run);
}

} // namespace pl
