// Router (spec 3.9).
#include "plain_kernels.h"

#include <algorithm>
#include <cmath>

namespace pl {

namespace {

inline float affinity(float logit) {
    return std::sqrt(logit > 20.0f ? logit : std::log1p(std::exp(logit)));
}

// The chosen highest of s + bias, ties to the lower id, by repeated search: few of few.
void choose(const float *s, const float *bias, int64_t experts, int64_t chosen, float *rank, int32_t *ids) {
    for (int64_t e = 0; e < experts; e++) {
        float value = bias == nullptr ? s[e] : s[e] + bias[e];
        rank[e] = std::isnan(value) ? -INFINITY : value;
    }
    for (int64_t i = 0; i < chosen; i++) {
        int64_t best = -1;
        for (int64_t e = 0; e < experts; e++) {
            bool taken = std::isnan(rank[e]);
            if (!taken && (best < 0 || rank[e] > rank[best])) {
                best = e;
            }
        }
        ids[i] = static_cast<int32_t>(best);
        rank[best] = NAN;
    }
}

} // namespace

void route(Context &context, const RouteArgs &args) {
    constexpr int64_t GRAIN = 1024;
    int64_t rows = args.batch.rows;
    int64_t step = std::max<int64_t>(1, GRAIN / std::max<int64_t>(1, args.experts));
    auto run = [&](int64_t chunk, int thread) {
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        float *s = scratch.take<float>(args.experts);
        float *rank = scratch.take<float>(args.experts);
        for (int64_t t = chunk * step; t < std::min(rows, (chunk + 1) * step); t++) {
            if (args.batch.sequence_of[t] < 0) {
                continue;
            }
            for (int64_t e = 0; e < args.experts; e++) {
                s[e] = affinity(args.logits[t * args.experts + e]);
            }
            int32_t *ids = args.ids + t * args.chosen;
            if (args.table != nullptr) {
                std::copy_n(args.table + args.batch.tokens[t] * args.chosen, args.chosen, ids);
            } else {
                choose(s, args.bias, args.experts, args.chosen, rank, ids);
            }
            float sum = 0.0f;
            for (int64_t i = 0; i < args.chosen; i++) {
                if (ids[i] < 0 || ids[i] >= args.experts) {
                    fail(context, "route: expert id %d of token %d is outside [0, %lld)", ids[i],
                         args.batch.tokens[t], static_cast<long long>(args.experts));
                }
                sum += s[ids[i]];
            }
            for (int64_t i = 0; i < args.chosen; i++) {
                args.weights[t * args.chosen + i] = args.scaling * s[ids[i]] / (sum + 1e-20f);
            }
        }
        scratch.release(mark);
    };
    parallel(context, (rows + step - 1) / step, run);
}

} // namespace pl
