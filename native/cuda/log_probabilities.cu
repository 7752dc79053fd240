// Log softmax of the sampled and of the most probable tokens; one block a row. taken: [rows, V] bytes of scratch.
#include "common.cuh"

__global__ void logProbabilities(
        Launch launch, int64_t vocabulary, const float *logits, const int32_t *ids, float *chosen, int64_t k,
        int32_t *topIds, float *top, uint8_t *taken) {
    __shared__ double scratch[WARP];
    __shared__ float values[WARP];
    __shared__ int64_t valueIds[WARP];
    int64_t i = blockIdx.x;
    const float *row = logits + i * vocabulary;
    taken += i * vocabulary;
    int64_t id = ids[i];
    if (id < 0 || id >= vocabulary) {
        report(launch, SAMPLED, i, id, vocabulary - 1);
        return;
    }
    int warp = threadIdx.x / WARP;
    float highest = -infinity();
    for (int64_t v = threadIdx.x; v < vocabulary; v += blockDim.x) {
        highest = fmaxf(highest, row[v]); // ignores NaN
        taken[v] = 0;
    }
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        highest = fmaxf(highest, __shfl_xor_sync(ALL_LANES, highest, offset));
    }
    if (threadIdx.x % WARP == 0) {
        values[warp] = highest;
    }
    __syncthreads();
    for (int w = 0; w < static_cast<int>(blockDim.x) / WARP; w++) {
        highest = fmaxf(highest, values[w]);
    }
    double sum = 0.0;
    for (int64_t v = threadIdx.x; v < vocabulary; v += blockDim.x) {
        float logit = isNaN(row[v]) ? -infinity() : row[v];
        sum += exp(static_cast<double>(logit) - static_cast<double>(highest));
    }
    double logSum = static_cast<double>(highest) + log(blockSum(sum, scratch));
    if (threadIdx.x == 0) {
        float logit = isNaN(row[id]) ? -infinity() : row[id];
        chosen[i] = static_cast<float>(static_cast<double>(logit) - logSum);
    }
    for (int64_t place = 0; place < k; place++) {
        float value = -infinity();
        int64_t best = vocabulary;
        for (int64_t v = threadIdx.x; v < vocabulary; v += blockDim.x) {
            float logit = isNaN(row[v]) ? -infinity() : row[v];
            if (taken[v] == 0 && (best == vocabulary || logit > value)) {
                value = logit;
                best = v;
            }
        }
        for (int offset = WARP / 2; offset > 0; offset /= 2) {
            float otherValue = __shfl_xor_sync(ALL_LANES, value, offset);
            int64_t other = __shfl_xor_sync(ALL_LANES, best, offset);
            if (otherValue > value || (otherValue == value && other < best)) {
                value = otherValue;
                best = other;
            }
        }
        __syncthreads();
        if (threadIdx.x % WARP == 0) {
            values[warp] = value;
            valueIds[warp] = best;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 1; w < static_cast<int>(blockDim.x) / WARP; w++) {
                if (values[w] > value || (values[w] == value && valueIds[w] < best)) {
                    value = values[w];
                    best = valueIds[w];
                }
            }
            topIds[i * k + place] = static_cast<int32_t>(best);
            top[i * k + place] = static_cast<float>(static_cast<double>(value) - logSum);
            taken[best] = 1;
        }
        __syncthreads();
    }
}
