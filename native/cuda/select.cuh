// The chosen entries of a row as ascending ids, from a cut: everything above it, and the first of what equals it.
#pragma once
#include "common.cuh"

// Writes `kept` ids in ascending order: entries of image above cut, and the first `ties` of those that equal it, then -1
// up to budget. All threads of a block of at most 32 warps call it. counts: shared memory of 32 ints.
__device__ inline void writeChosen(
        const float *scores, int64_t n, uint32_t cut, int64_t ties, int64_t kept, int64_t budget, int32_t *ids,
        uint32_t *counts) {
    int lane = threadIdx.x % WARP;
    int warp = threadIdx.x / WARP;
    int warps = blockDim.x / WARP;
    uint32_t below = (1u << lane) - 1u;
    int64_t above = 0; // entries above the cut so far, and equal to it
    int64_t equal = 0;
    for (int64_t from = 0; from < n; from += blockDim.x) {
        int64_t e = from + threadIdx.x;
        uint32_t image = e < n ? orderedImage(scores[e]) : 0u;
        bool isAbove = e < n && image > cut;
        bool isEqual = e < n && image == cut;
        uint32_t aboveMask = __ballot_sync(ALL_LANES, isAbove);
        uint32_t equalMask = __ballot_sync(ALL_LANES, isEqual);
        __syncthreads();
        if (lane == 0) {
            counts[warp] = static_cast<uint32_t>(__popc(aboveMask)) << 16 | static_cast<uint32_t>(__popc(equalMask));
        }
        __syncthreads();
        int64_t aboveHere = above + __popc(aboveMask & below);
        int64_t equalHere = equal + __popc(equalMask & below);
        for (int w = 0; w < warps; w++) {
            int64_t moreAbove = counts[w] >> 16;
            int64_t moreEqual = counts[w] & 0xffffu;
            aboveHere += w < warp ? moreAbove : 0;
            equalHere += w < warp ? moreEqual : 0;
            above += moreAbove;
            equal += moreEqual;
        }
        if (isAbove || (isEqual && equalHere < ties)) {
            ids[aboveHere + (equalHere < ties ? equalHere : ties)] = static_cast<int32_t>(e);
        }
    }
    for (int64_t i = kept + threadIdx.x; i < budget; i += blockDim.x) {
        ids[i] = -1;
    }
}

// Every entry below n, then -1: what a budget that covers the row selects, whatever the scores.
__device__ inline void writeAll(int64_t n, int64_t budget, int32_t *ids) {
    for (int64_t i = threadIdx.x; i < budget; i += blockDim.x) {
        ids[i] = i < n ? static_cast<int32_t>(i) : -1;
    }
}
