// Attention over window, entries and sink, one softmax (spec 3.4 steps 5 to 7). One block a row and four heads, a warp a
// head; keys come in tiles of 16 through shared memory, in the order of the contract, so the cutting of a prompt changes
// nothing. kOwn: dims that a lane holds; kOwn * 32 covers a head. Dynamic shared memory: 16 * d floats.
//
// Rows of the decode stage may be rounded: query, keys and the numerators of the probabilities to bf16. A numerator is
// rounded against the highest logit of all keys, which a pass of its own finds first.
#include "formats.cuh"

// The compressed entries a row may read, in pages of the ring's format; pool.data null: none.
struct Entries {
    Pool pool;
    Pages pages;
    const int32_t *ids; // [T, budget] or null: every entry below the count
    int64_t budget;
    const int32_t *counts; // [T]
};

// Type of the window keys of a step beside a ring of a format.
template <typename F> struct StepKeys {
    typedef F Type;
};
template <> struct StepKeys<KvFp8> {
    typedef bf16 Type;
};

constexpr int DECODE_STAGE = 1;

template <typename F, int kOwn>
__global__ void attention(
        Launch launch, Batch batch, int64_t heads, int64_t d, const float *q /* [T, H, d] */,
        const typename StepKeys<F>::Type *keys /* [T, d] */, Pool ring, Entries entries, const float *sinks /* [H] */,
        float scale, const int32_t *stages /* [T], or null: no row is rounded */, float *out /* [T, H, d] */,
        float *logSumExp /* [T, H] or null */) {
    typedef typename StepKeys<F>::Type Key;
    constexpr int TILE = 16;
    PL_DYNAMIC_SHARED(float, tile);
    __shared__ const Key *stepRows[TILE];
    __shared__ PoolRow<F> poolRows[TILE];
    int64_t window = ring.rows;
    int64_t plain = d - ring.rotated;
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
    if (entries.pool.data != nullptr) {
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
        slot = slotOf(launch, batch, row.sequence, ring.pages);
        if (slot < 0) {
            return;
        }
    }
    bool rounded = stages != nullptr && stages[t] == DECODE_STAGE;
    float query[kOwn];
    float sums[kOwn];
    for (int j = 0; j < kOwn; j++) {
        int64_t i = lane + WARP * j;
        query[j] = working && i < d ? q[(t * heads + head) * d + i] : 0.0f;
        query[j] = rounded ? widen(narrow<bf16>(query[j])) : query[j];
        sums[j] = 0.0f;
    }
    float highest = working ? sinks[head] : 0.0f;
    float total = 1.0f;
    int64_t all = seen + chosen;
    for (int pass = rounded ? 0 : 1; pass < 2; pass++) {
        if (rounded && pass == 1) {
            total = working ? expf(sinks[head] - highest) : 1.0f;
        }
        for (int64_t from = 0; from < all; from += TILE) {
            int present = static_cast<int>(all - from < TILE ? all - from : TILE);
            __syncthreads();
            if (static_cast<int>(threadIdx.x) < present) {
                int64_t at = from + threadIdx.x;
                const Key *stepRow = nullptr;
                PoolRow<F> stored = {};
                if (at < seen) {
                    int64_t token = firstToken + at;
                    if (token >= row.firstPosition) {
                        stepRow = keys + row.rowOf(static_cast<int>(token)) * d;
                    } else {
                        stored = poolRow<F>(ring, slot, token % window);
                    }
                } else {
                    int64_t entry = entries.ids == nullptr ? at - seen : entries.ids[t * entries.budget + at - seen];
                    int64_t number = entries.pages.rowOf(launch, row.sequence, entry);
                    if (number >= 0) {
                        stored = poolRow<F>(entries.pool, number / PAGE_ENTRIES, number % PAGE_ENTRIES);
                    }
                }
                stepRows[threadIdx.x] = stepRow;
                poolRows[threadIdx.x] = stored;
            }
            __syncthreads();
            for (int64_t i = threadIdx.x; i < present * d; i += blockDim.x) {
                int64_t k = i / d;
                float value = 0.0f;
                if (stepRows[k] != nullptr) {
                    value = widen(stepRows[k][i % d]);
                } else if (poolRows[k].numbers != nullptr) {
                    value = poolRows[k].read(i % d, plain);
                }
                tile[i] = rounded ? widen(narrow<bf16>(value)) : value;
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
            if (pass == 0) {
                highest = tileHighest;
                continue;
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
                    weight = rounded ? widen(narrow<bf16>(weight)) : weight;
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
