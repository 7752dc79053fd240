// Selection of the highest scores: exact radix select, or the reference sort. Both find the same set.
#include "numbers.h"
#include "plain_kernels.h"

#include <algorithm>

namespace pl {

namespace {

void sortRow(const float *scores, int64_t n, int64_t budget, uint64_t *scratch, int32_t *ids) {
    for (int64_t i = 0; i < n; i++) {
        scratch[i] = static_cast<uint64_t>(~orderedImage(scores[i])) << 32 | static_cast<uint64_t>(i);
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
        uint64_t *memory = scratch.take<uint64_t>(candidates + 32);
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
                context.kernels->radixSelect(
                        scores + i * candidates, n, budget, reinterpret_cast<uint32_t *>(memory), out);
            }
            std::fill(out + kept, out + budget, -1);
            found[i] = static_cast<int32_t>(kept);
        }
        scratch.release(mark);
    };
    parallel(context, (rows + step - 1) / step, run);
}

} // namespace pl
