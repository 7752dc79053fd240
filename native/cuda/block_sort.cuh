// A stable radix sort of (key, id) pairs by one block, ascending: four passes of eight bits.
#pragma once
#include "common.cuh"

struct SortPair {
    uint32_t key;
    uint32_t id;
};

constexpr int SORT_BINS = 256;

// Shared memory of a sort by up to 16 warps.
struct SortScratch {
    uint32_t starts[SORT_BINS];
    uint32_t counts[16][SORT_BINS];
};

// Sorts n pairs of `from`; the result is there again, `to` is scratch of the same size.
__device__ inline void blockSort(SortPair *from, SortPair *to, int64_t n, SortScratch &scratch) {
    int lane = threadIdx.x % WARP;
    int warp = threadIdx.x / WARP;
    int warps = blockDim.x / WARP;
    for (int shift = 0; shift < 32; shift += 8) {
        for (int bin = threadIdx.x; bin < SORT_BINS; bin += blockDim.x) {
            scratch.starts[bin] = 0;
        }
        __syncthreads();
        for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
            atomicAdd(&scratch.starts[from[i].key >> shift & 255u], 1u);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            uint32_t sum = 0;
            for (int bin = 0; bin < SORT_BINS; bin++) {
                uint32_t count = scratch.starts[bin];
                scratch.starts[bin] = sum;
                sum += count;
            }
        }
        for (int64_t first = 0; first < n; first += blockDim.x) {
            for (int i = threadIdx.x; i < warps * SORT_BINS; i += blockDim.x) {
                scratch.counts[i / SORT_BINS][i % SORT_BINS] = 0;
            }
            __syncthreads();
            int64_t i = first + threadIdx.x;
            SortPair pair = i < n ? from[i] : SortPair{0, 0};
            // Beyond the end: a bin of its own.
            uint32_t digit = i < n ? pair.key >> shift & 255u : 256u;
            uint32_t peers = __match_any_sync(ALL_LANES, digit);
            uint32_t rank = static_cast<uint32_t>(__popc(peers & ((1u << lane) - 1u)));
            if (rank == 0 && i < n) {
                scratch.counts[warp][digit] = static_cast<uint32_t>(__popc(peers));
            }
            __syncthreads();
            for (int bin = threadIdx.x; bin < SORT_BINS; bin += blockDim.x) {
                uint32_t start = scratch.starts[bin];
                for (int w = 0; w < warps; w++) {
                    uint32_t count = scratch.counts[w][bin];
                    scratch.counts[w][bin] = start;
                    start += count;
                }
                scratch.starts[bin] = start;
            }
            __syncthreads();
            if (i < n) {
                to[scratch.counts[warp][digit] + rank] = pair;
            }
            __syncthreads();
        }
        SortPair *swap = from;
        from = to;
        to = swap;
        __syncthreads();
    }
}
