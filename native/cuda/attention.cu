// Attention over window, entries and sink, one softmax (spec 3.4 steps 5 to 7). One block a row and four heads, a warp a
// head; keys come in tiles of 16 through shared memory, in the order of the contract, so the cutting of a prompt changes
// nothing. kOwn: dims that a lane holds; kOwn * 32 covers a head. Dynamic shared memory: 16 * d floats.
#include "common.cuh"

// The compressed entries a row may read; pool null: none.
template <typename T> struct Entries {
    const T *pool;
    Pages pages;
    const int32_t *ids; // [T, budget] or null: every entry below the count
    int64_t budget;
    const int32_t *counts; // [T]
};

template <typename T, int kOwn>
__global__ void attention(
        Launch launch, Batch batch, int64_t heads, int64_t d, const float *q, const T *keys, const T *ring,
        int64_t ringSlots, int64_t window, Entries<T> entries, const float *sinks, float scale, float *out,
        float *logSumExp) {
    constexpr int TILE = 16;
    PL_DYNAMIC_SHARED(float, tile);
    __shared__ const T *sources[TILE];
    int64_t t = blockIdx.x;
    int lane = threadIdx.x % WARP;
    int64_t head = static_cast<int64_t>(blockIdx.y) * (blockDim.x / WARP) + threadIdx.x / WARP;
    bool working = head < heads;
    StepRow row;
    if (!readRow(launch, batch, t, row)) {
        return;
    }
    int64_t seen = row.position + 1LL < window ? row.position + 1LL : window;
    int64_t chosen = 0;
    if (entries.pool != nullptr) {
        chosen = entries.counts[t];
        int64_t most = entries.ids == nullptr ? entries.pages.perSequence * PAGE_ENTRIES : entries.budget;
        if (chosen < 0 || chosen > most) {
            report(launch, COUNT, t, chosen, most);
            return;
        }
    }
    int64_t firstToken = row.position + 1LL - seen;
    int64_t slot = 0;
    if (firstToken < row.firstPosition) {
        slot = slotOf(launch, batch, row.sequence, ringSlots);
        if (slot < 0) {
            return;
        }
    }
    float query[kOwn];
    float sums[kOwn];
    for (int j = 0; j < kOwn; j++) {
        int64_t i = lane + WARP * j;
        query[j] = working && i < d ? q[(t * heads + head) * d + i] : 0.0f;
        sums[j] = 0.0f;
    }
    float highest = working ? sinks[head] : 0.0f;
    float total = 1.0f;
    int64_t all = seen + chosen;
    for (int64_t from = 0; from < all; from += TILE) {
        int present = static_cast<int>(all - from < TILE ? all - from : TILE);
        __syncthreads();
        if (static_cast<int>(threadIdx.x) < present) {
            int64_t at = from + threadIdx.x;
            const T *source = nullptr;
            if (at < seen) {
                int64_t token = firstToken + at;
                source = token >= row.firstPosition ? keys + row.rowOf(static_cast<int>(token)) * d
                                                    : ring + (slot * window + token % window) * d;
            } else {
                int64_t entry = entries.ids == nullptr ? at - seen : entries.ids[t * entries.budget + at - seen];
                int64_t poolRow = entries.pages.rowOf(launch, row.sequence, entry);
                source = poolRow < 0 ? nullptr : entries.pool + poolRow * d;
            }
            sources[threadIdx.x] = source;
        }
        __syncthreads();
        for (int64_t i = threadIdx.x; i < present * d; i += blockDim.x) {
            const T *source = sources[i / d];
            tile[i] = source == nullptr ? 0.0f : widen(source[i % d]);
        }
        __syncthreads();
        float logits[TILE];
        float tileHighest = highest;
        for (int k = 0; k < TILE; k++) {
            float dot = 0.0f;
            if (k < present) {
                for (int j = 0; j < kOwn; j++) {
                    int64_t i = lane + WARP * j;
                    if (i < d) {
                        dot = fmaf(query[j], tile[k * d + i], dot);
                    }
                }
            }
            logits[k] = warpSum(dot) * scale;
            tileHighest = k < present ? fmaxf(tileHighest, logits[k]) : tileHighest;
        }
        float rescale = expf(highest - tileHighest);
        total *= rescale;
        for (int j = 0; j < kOwn; j++) {
            sums[j] *= rescale;
        }
        for (int k = 0; k < TILE; k++) {
            if (k < present) {
                float weight = expf(logits[k] - tileHighest);
                total += weight;
                for (int j = 0; j < kOwn; j++) {
                    int64_t i = lane + WARP * j;
                    if (i < d) {
                        sums[j] = fmaf(weight, tile[k * d + i], sums[j]);
                    }
                }
            }
        }
        highest = tileHighest;
    }
    if (!working) {
        return;
    }
    for (int j = 0; j < kOwn; j++) {
        int64_t i = lane + WARP * j;
        if (i < d) {
            out[(t * heads + head) * d + i] = sums[j] / total;
        }
    }
    if (logSumExp != nullptr && lane == 0) {
        logSumExp[t * heads + head] = highest + logf(total);
    }
}
