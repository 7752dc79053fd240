// Sampling: adjustments, temperature, nucleus, and a counter-based random number, so that backends agree.
#include "plain_kernels.h"

#include <algorithm>
#include <cmath>

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

struct Candidate {
    double mass;
    int32_t id;
};

// Heap order: the most probable on top, ties to the lower id.
inline bool below(const Candidate &a, const Candidate &b) {
    return a.mass < b.mass || (a.mass == b.mass && a.id > b.id);
}

int32_t argmax(const float *logits, int64_t n) {
    int64_t best = 0;
    float top = std::isnan(logits[0]) ? -INFINITY : logits[0];
    for (int64_t i = 1; i < n; i++) {
        if (logits[i] > top) {
            top = logits[i];
            best = i;
        }
    }
    return static_cast<int32_t>(best);
}

// Takes candidates off the heap until their mass reaches a bound; they end up behind the heap, in reverse order.
int32_t pick(
        const float *logits, int64_t n, double temperature, double topP, double u, Candidate *candidates) {
    int32_t best = argmax(logits, n);
    double top = logits[best];
    double total = 0;
    for (int64_t i = 0; i < n; i++) {
        double mass = std::exp((static_cast<double>(logits[i]) - top) / temperature);
        candidates[i] = {mass > 0 ? mass : 0, static_cast<int32_t>(i)};
        total += candidates[i].mass;
    }
    if (!(total > 0) || std::isinf(total)) {
        return best;
    }
    std::make_heap(candidates, candidates + n, below);
    if (topP >= 1) {
        double sum = 0;
        for (int64_t left = n; left > 0; left--) {
            std::pop_heap(candidates, candidates + left, below);
            sum += candidates[left - 1].mass;
            if (sum > u * total) {
                return candidates[left - 1].id;
            }
        }
        return candidates[0].id;
    }
    double mass = 0;
    int64_t left = n;
    while (left > 0 && mass < topP * total) {
        std::pop_heap(candidates, candidates + left, below);
        mass += candidates[--left].mass;
    }
    double sum = 0;
    for (int64_t i = n - 1; i > left; i--) {
        sum += candidates[i].mass;
        if (sum > u * mass) {
            return candidates[i].id;
        }
    }
    return candidates[left].id;
}

} // namespace

void sample(Context &context, int64_t rows, int64_t vocabulary, float *logits, const pl_sampling &sampling, int32_t *ids) {
    auto run = [&](int64_t i, int thread) {
        float *row = logits + i * vocabulary;
        for (int64_t a = sampling.adjustment_start[i]; a < sampling.adjustment_start[i + 1]; a++) {
            row[sampling.adjustment_token[a]] += sampling.adjustment[a];
        }
        if (!(sampling.temperature[i] > 0)) {
            ids[i] = argmax(row, vocabulary);
            return;
        }
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        uint32_t counter[4] = {
                static_cast<uint32_t>(sampling.position[i]), static_cast<uint32_t>(sampling.choice[i]), 0, 0};
        uint32_t word = philox(
                counter, static_cast<uint32_t>(sampling.seed[2 * i]), static_cast<uint32_t>(sampling.seed[2 * i + 1]));
        double u = static_cast<double>(word >> 8) * 0x1p-24;
        ids[i] = pick(
                row, vocabulary, static_cast<double>(sampling.temperature[i]), static_cast<double>(sampling.top_p[i]),
                u, scratch.take<Candidate>(vocabulary));
        scratch.release(mark);
    };
    parallel(context, rows, run);
}

} // namespace pl
