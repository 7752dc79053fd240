// Pools every window that a row of the step closes, norms, rotates, transforms and stores it (spec 3.5, 3.6) in the format
// of the pool: one block a row, most of which have nothing to close. Dynamic shared memory: d floats.
#include "formats.cuh"

// Where the projected rows of a window lie: in this step, or in the ring of earlier ones.
struct Window {
    StepRow row;
    const float *projected; // [T, width]
    const float *ring;      // [tokens, width] of the sequence's slot
    int64_t ringTokens;
    int64_t width;

    __device__ const float *token(int token) const {
        return token >= row.firstPosition ? projected + row.rowOf(token) * width : ring + token % ringTokens * width;
    }
};

template <typename F>
__global__ void compress(
        Launch launch, Batch batch, int64_t ratio, int64_t series, int64_t d, int64_t rotated, const float *ape,
        const float *norm, float eps, const float *frequencies, const float *projected, const float *state,
        int64_t stateSlots, Pages pages, Pool pool, int64_t transform,
        float *shadow /* [pages, 64, d] the entry before the transform, or null */) {
    PL_DYNAMIC_SHARED(float, pooled);
    __shared__ double scratch[WARP];
    int64_t t = blockIdx.x;
    StepRow row;
    if (!readRow(launch, batch, t, row) || (row.position + 1LL) % ratio != 0) {
        return;
    }
    int64_t entry = row.position / ratio;
    int64_t target = pages.rowOf(launch, row.sequence, entry);
    if (target < 0) {
        return;
    }
    int64_t slots = series == 2 && entry > 0 ? 2 * ratio : ratio;
    int64_t firstToken = (entry + 1) * ratio - slots;
    Window window{row, projected, nullptr, series * ratio, 2 * series * d};
    if (firstToken < row.firstPosition) {
        int64_t slot = slotOf(launch, batch, row.sequence, stateSlots);
        if (slot < 0) {
            return;
        }
        window.ring = state + slot * window.ringTokens * window.width;
    }
    double squares = 0.0;
    for (int64_t i = threadIdx.x; i < d; i += blockDim.x) {
        float highest = -infinity();
        float total = 0.0f;
        float sum = 0.0f;
        for (int pass = 0; pass < 2; pass++) {
            for (int64_t s = 0; s < slots; s++) {
                int token = static_cast<int>(firstToken + s);
                int64_t channel = (series == 2 && token >= entry * ratio ? d : 0) + i;
                const float *source = window.token(token);
                float gate = source[series * d + channel] + ape[token % ratio * series * d + channel];
                if (pass == 0) {
                    highest = fmaxf(highest, gate);
                } else {
                    float weight = expf(gate - highest);
                    total += weight;
                    sum = fmaf(weight, source[channel], sum);
                }
            }
        }
        pooled[i] = sum / total;
        squares += static_cast<double>(pooled[i]) * static_cast<double>(pooled[i]);
    }
    float factor = inverseRoot(blockSum(squares, scratch), d, eps);
    for (int64_t i = threadIdx.x; i < d; i += blockDim.x) {
        pooled[i] = pooled[i] * factor * norm[i];
    }
    __syncthreads();
    float *turned = pooled + d - rotated;
    for (int64_t i = threadIdx.x; i < rotated / 2; i += blockDim.x) {
        float angle = static_cast<float>(entry * ratio) * frequencies[i];
        float c = static_cast<float>(cos(static_cast<double>(angle)));
        float s = static_cast<float>(sin(static_cast<double>(angle)));
        float a = turned[2 * i];
        float b = turned[2 * i + 1];
        turned[2 * i] = a * c - b * s;
        turned[2 * i + 1] = b * c + a * s;
    }
    __syncthreads();
    if (shadow != nullptr) {
        for (int64_t i = threadIdx.x; i < d; i += blockDim.x) {
            shadow[target * d + i] = pooled[i];
        }
        __syncthreads();
    }
    transformRow(transform, pooled, d, rotated);
    storeRow(pool, poolRow<F>(pool, target / PAGE_ENTRIES, target % PAGE_ENTRIES), pooled);
}
