// The reference selection: a full sort by score, ties by id, gives the cut. One block a row at a time; pairs:
// [gridDim.x, 2, candidates].
#include "block_sort.cuh"
#include "select.cuh"

__global__ void topKSort(
        Launch launch, int64_t rows, int64_t candidates, const float *scores, const int32_t *counts, int64_t budget,
        int32_t *ids, int32_t *found, SortPair *pairs) {
    __shared__ SortScratch scratch;
    __shared__ uint32_t warpCounts[WARP];
    SortPair *sorted = pairs + static_cast<int64_t>(blockIdx.x) * 2 * candidates;
    for (int64_t i = blockIdx.x; i < rows; i += gridDim.x) {
        const float *row = scores + i * candidates;
        int64_t n = counts[i];
        if (n < 0 || n > candidates) {
            report(launch, COUNT, i, n, candidates);
            continue;
        }
        int64_t kept = n < budget ? n : budget;
        if (threadIdx.x == 0) {
            found[i] = static_cast<int32_t>(kept);
        }
        if (n <= budget) {
            writeAll(n, budget, ids + i * budget);
            continue;
        }
        if (kept == 0) {
            continue;
        }
        for (int64_t e = threadIdx.x; e < n; e += blockDim.x) {
            sorted[e] = SortPair{~orderedImage(row[e]), static_cast<uint32_t>(e)};
        }
        __syncthreads();
        blockSort(sorted, sorted + candidates, n, scratch);
        // Of the pairs that equal the last one kept, those up to it are kept: count them backwards from there.
        uint32_t last = sorted[kept - 1].key;
        int64_t low = 0;
        int64_t high = kept - 1;
        while (low < high) {
            int64_t middle = (low + high) / 2;
            if (sorted[middle].key < last) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        writeChosen(row, n, ~last, kept - low, kept, budget, ids + i * budget, warpCounts);
        __syncthreads();
    }
}
