// Sampling by the steps that dev.plumbline.kernel.Sampling lists, so that backends agree.
#include "numbers.h"
#include "plain_kernels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pl {

namespace {

// First word of Philox4x32-10.
uint32_t philox(const uint32_t counter[4], uint32_t key0, uint32_t key1) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = 0xD2511F53ull * c0;
        uint64_t p1 = 0xCD9E8D57ull * c2;
        uint32_t n0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ key0;
        uint32_t n2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ key1;
        c0 = n0;
        c1 = static_cast<uint32_t>(p1);
        c2 = n2;
        c3 = static_cast<uint32_t>(p0);
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return c0;
}

struct Best {
    int32_t id;
    float logit; // -infinity for NaN
};

Best argmax(const float *logits, int64_t n) {
    Best best = {0, std::isnan(logits[0]) ? -INFINITY : logits[0]};
    for (int64_t i = 1; i < n; i++) {
        if (logits[i] > best.logit) {
            best = {static_cast<int32_t>(i), logits[i]};
        }
    }
    return best;
}

// Ids by logit, highest first, ties to the lower id: a stable radix sort of pairs, key above, id below.
const uint64_t *rank(const float *logits, int64_t n, Scratch &scratch) {
    constexpr int DIGITS = 3;
    constexpr int BITS = 11;
    constexpr uint32_t BINS = 1u << BITS;
    uint64_t *from = scratch.take<uint64_t>(n);
    uint64_t *to = scratch.take<uint64_t>(n);
    uint32_t *starts = scratch.take<uint32_t>(DIGITS * BINS);
    std::fill(starts, starts + DIGITS * BINS, 0u);
    for (int64_t i = 0; i < n; i++) {
        uint32_t key = ~orderedImage(logits[i]);
        from[i] = static_cast<uint64_t>(key) << 32 | static_cast<uint64_t>(i);
        for (int digit = 0; digit < DIGITS; digit++) {
            starts[digit * BINS + (key >> (digit * BITS) & (BINS - 1))]++;
        }
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t *start = starts + digit * BINS;
        uint32_t sum = 0;
        for (uint32_t bin = 0; bin < BINS; bin++) {
            uint32_t count = start[bin];
            start[bin] = sum;
            sum += count;
        }
        for (int64_t i = 0; i < n; i++) {
            to[start[from[i] >> (32 + digit * BITS) & (BINS - 1)]++] = from[i];
        }
        std::swap(from, to);
    }
    return from;
}

// Steps 3, 4 and 6 of dev.plumbline.kernel.Sampling; the highest logit is finite.
int32_t draw(
        const float *logits, int64_t n, double highest, double temperature, double topP, double u, Scratch &scratch) {
    const uint64_t *order = rank(logits, n, scratch);
    auto idAt = [&](int64_t r) { return static_cast<int32_t>(order[r] & 0xffffffffu); };
    double *running = scratch.take<double>(n);
    double total = 0;
    int64_t ranks = 0;
    while (ranks < n) {
        float logit = logits[idAt(ranks)];
        double weight = std::isnan(logit) ? 0 : std::exp((static_cast<double>(logit) - highest) / temperature);
        if (weight < 0x1p-54) {
            break; // the sum is at least 1: neither this weight nor a smaller one changes it
        }
        total += weight;
        running[ranks++] = total;
    }
    int64_t last = 0;
    while (last < ranks - 1 && !(running[last] >= topP * total)) {
        last++;
    }
    double bound = u * running[last];
    int64_t r = 0;
    while (r < last && !(running[r] > bound)) {
        r++;
    }
    return idAt(r);
}

} // namespace

void sample(Context &context, int64_t rows, int64_t vocabulary, float *logits, const pl_sampling &sampling, int32_t *ids) {
    auto run = [&](int64_t i, int thread) {
        float *row = logits + i * vocabulary;
        for (int64_t a = sampling.adjustment_start[i]; a < sampling.adjustment_start[i + 1]; a++) {
            row[sampling.adjustment_token[a]] += sampling.adjustment[a];
        }
        Best best = argmax(row, vocabulary);
        if (!(sampling.temperature[i] > 0) || std::isinf(best.logit)) {
            ids[i] = best.id;
            return;
        }
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        uint32_t counter[4] = {
                static_cast<uint32_t>(sampling.position[i]), static_cast<uint32_t>(sampling.choice[i]), 0, 0};
        uint32_t word = philox(
                counter, static_cast<uint32_t>(sampling.seed[2 * i]), static_cast<uint32_t>(sampling.seed[2 * i + 1]));
        double u = static_cast<double>(word >> 8) * 0x1p-24;
        ids[i] = draw(
                row, vocabulary, static_cast<double>(best.logit), static_cast<double>(sampling.temperature[i]),
                static_cast<double>(sampling.top_p[i]), u, scratch);
        scratch.release(mark);
    };
    parallel(context, rows, run);
}

} // namespace pl
