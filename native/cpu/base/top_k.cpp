// Selection of the highest scores: exact radix select, or the reference sort. Both find the same set.
#include "plain_kernels.h"

#include <algorithm>
#include <cstring>

namespace pl {

namespace {

// An unsigned image in the order of the scores: -0 becomes +0 and NaN -infinity.
inline uint32_t image(float score) {
    uint32_t bits;
    std::memcpy(&bits, &score, sizeof bits);
    uint32_t magnitude = bits & 0x7fffffffu;
    bits = magnitude > 0x7f800000u ? 0xff800000u : bits;
    bits = magnitude == 0 ? 0u : bits;
    return bits ^ (static_cast<uint32_t>(static_cast<int32_t>(bits) >> 31) | 0x80000000u);
}

// The digits of a radix select, from the top of the image.
struct Digit {
    int shift;
    uint32_t bins;
};
constexpr Digit DIGITS[] = {{21, 2048}, {10, 2048}, {0, 1024}};

// Threshold of the `budget` highest of n images: returns it and how many of those equal to it belong to them.
uint32_t threshold(const uint32_t *images, int64_t n, int64_t budget, uint32_t *candidates, int64_t *ties) {
    uint32_t histogram[2048];
    const uint32_t *source = images;
    uint32_t prefix = 0;
    int64_t wanted = budget;
    for (const Digit &digit : DIGITS) {
        std::memset(histogram, 0, sizeof(uint32_t) * digit.bins);
        uint32_t mask = digit.bins - 1;
        for (int64_t i = 0; i < n; i++) {
            histogram[(source[i] >> digit.shift) & mask]++;
        }
        uint32_t bin = digit.bins - 1;
        while (histogram[bin] < wanted) {
            wanted -= histogram[bin--];
        }
        prefix |= bin << digit.shift;
        if (digit.shift > 0) {
            int64_t kept = 0;
            for (int64_t i = 0; i < n; i++) {
                candidates[kept] = source[i];
                kept += ((source[i] >> digit.shift) & mask) == bin;
            }
            n = kept;
            source = candidates;
        }
    }
    *ties = wanted;
    return prefix;
}

void radixRow(const float *scores, int64_t n, int64_t budget, uint32_t *scratch, int32_t *ids) {
    uint32_t *images = scratch;
    for (int64_t i = 0; i < n; i++) {
        images[i] = image(scores[i]);
    }
    int64_t ties;
    uint32_t least = threshold(images, n, budget, scratch + n, &ties);
    int64_t at = 0;
    for (int64_t i = 0; i < n && at < budget; i++) {
        if (images[i] > least || (images[i] == least && ties-- > 0)) {
            ids[at++] = static_cast<int32_t>(i);
        }
    }
}

void sortRow(const float *scores, int64_t n, int64_t budget, uint64_t *scratch, int32_t *ids) {
    for (int64_t i = 0; i < n; i++) {
        scratch[i] = static_cast<uint64_t>(~image(scores[i])) << 32 | static_cast<uint64_t>(i);
    }
    std::sort(scratch, scratch + n);
    for (int64_t i = 0; i < budget; i++) {
        ids[i] = static_cast<int32_t>(scratch[i] & 0xffffffffu);
    }
    std::sort(ids, ids + budget);
}

} // namespace

void topK(
        Context &context, bool sort, int64_t rows, int64_t candidates, const float *scores, const int32_t *counts,
        int64_t budget, int32_t *ids, int32_t *found) {
    constexpr int64_t GRAIN = 8192;
    int64_t step = std::max<int64_t>(1, GRAIN / std::max<int64_t>(1, candidates));
    auto run = [&](int64_t chunk, int thread) {
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        uint64_t *memory = scratch.take<uint64_t>(candidates + 1);
        for (int64_t i = chunk * step; i < std::min(rows, (chunk + 1) * step); i++) {
            int64_t n = counts[i];
            int64_t kept = std::min(n, budget);
            int32_t *out = ids + i * budget;
            if (n <= budget) {
                for (int64_t e = 0; e < n; e++) {
                    out[e] = static_cast<int32_t>(e);
                }
            } else if (sort) {
                sortRow(scores + i * candidates, n, budget, memory, out);
            } else {
                // One element more: the compaction writes before it knows whether the place counts.
                radixRow(scores + i * candidates, n, budget, reinterpret_cast<uint32_t *>(memory), out);
            }
            std::fill(out + kept, out + budget, -1);
            found[i] = static_cast<int32_t>(kept);
        }
        scratch.release(mark);
    };
    parallel(context, (rows + step - 1) / step, run);
}

} // namespace pl
