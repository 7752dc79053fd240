// Exact radix select: the image of the k-th highest score, a byte at a time, then one ordered pass. One block a row.
#include "select.cuh"

__global__ void topKRadix(
        Launch launch, int64_t candidates, const float *scores, const int32_t *counts, int64_t budget, int32_t *ids,
        int32_t *found) {
    constexpr int BINS = 256;
    __shared__ int32_t histogram[2][BINS];
    __shared__ uint32_t warpCounts[WARP];
    __shared__ uint32_t digitFound;
    __shared__ int32_t restFound;
    int64_t i = blockIdx.x;
    scores += i * candidates;
    ids += i * budget;
    int64_t n = counts[i];
    if (n < 0 || n > candidates) {
        report(launch, COUNT, i, n, candidates);
        return;
    }
    int64_t kept = n < budget ? n : budget;
    if (threadIdx.x == 0) {
        found[i] = static_cast<int32_t>(kept);
    }
    if (n <= budget) {
        writeAll(n, budget, ids);
        return;
    }
    if (kept == 0) {
        return;
    }
    uint32_t cut = 0;
    uint32_t mask = 0;
    int32_t wanted = static_cast<int32_t>(kept);
    for (int shift = 24; shift >= 0; shift -= 8) {
        for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
            histogram[0][bin] = 0;
        }
        __syncthreads();
        for (int64_t e = threadIdx.x; e < n; e += blockDim.x) {
            uint32_t image = orderedImage(scores[e]);
            if ((image & mask) == cut) {
                atomicAdd(&histogram[0][image >> shift & 255u], 1);
            }
        }
        __syncthreads();
        // Sums from the highest bin down, by doubling distances.
        int from = 0;
        for (int distance = 1; distance < BINS; distance *= 2) {
            for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
                histogram[1 - from][bin] =
                        histogram[from][bin] + (bin + distance < BINS ? histogram[from][bin + distance] : 0);
            }
            from = 1 - from;
            __syncthreads();
        }
        for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
            int32_t higher = bin + 1 < BINS ? histogram[from][bin + 1] : 0;
            if (higher < wanted && histogram[from][bin] >= wanted) {
                digitFound = static_cast<uint32_t>(bin);
                restFound = wanted - higher;
            }
        }
        __syncthreads();
        cut |= digitFound << shift;
        mask |= 255u << shift;
        wanted = restFound;
        __syncthreads();
    }
    writeChosen(scores, n, cut, wanted, kept, budget, ids, warpCounts);
}
