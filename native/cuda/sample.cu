// Sampling by the steps that dev.plumbline.kernel.Sampling lists; one block of 512 threads a row. Running sums are added
// one after the other in double, as the contract says. pairs: [rows, 2, V]; running: [rows, V].
#include "block_sort.cuh"

struct Sampling {
    const int32_t *adjustmentStart;
    const int32_t *adjustmentToken;
    const float *adjustment;
    int64_t adjustments;
    const float *temperature;
    const float *topP;
    const int32_t *seed;
    const int32_t *choice;
    const int32_t *position;
};

// First word of Philox4x32-10.
__device__ inline uint32_t philox(uint32_t c0, uint32_t c1, uint32_t key0, uint32_t key1) {
    uint32_t c2 = 0;
    uint32_t c3 = 0;
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = 0xD2511F53ull * c0;
        uint64_t p1 = 0xCD9E8D57ull * c2;
        uint32_t n0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ key0;
        uint32_t n2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ key1;
        c0 = n0;
        c1 = static_cast<uint32_t>(p1);
        c2 = n2;
        c3 = static_cast<uint32_t>(p0);
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return c0;
}

__device__ inline bool better(float logit, int64_t id, float than, int64_t thanId) {
    return logit > than || (logit == than && id < thanId);
}

// The highest logit, ties to the lower id, NaN as -infinity. Every thread gets it.
__device__ inline int64_t highestOf(const float *logits, int64_t n, float *values, int64_t *ids) {
    float value = -infinity();
    int64_t id = n;
    for (int64_t v = threadIdx.x; v < n; v += blockDim.x) {
        float logit = isNaN(logits[v]) ? -infinity() : logits[v];
        if (better(logit, v, value, id)) {
            value = logit;
            id = v;
        }
    }
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        float otherValue = __shfl_xor_sync(ALL_LANES, value, offset);
        int64_t otherId = __shfl_xor_sync(ALL_LANES, id, offset);
        if (better(otherValue, otherId, value, id)) {
            value = otherValue;
            id = otherId;
        }
    }
    __syncthreads();
    if (threadIdx.x % WARP == 0) {
        values[threadIdx.x / WARP] = value;
        ids[threadIdx.x / WARP] = id;
    }
    __syncthreads();
    value = values[0];
    id = ids[0];
    for (int w = 1; w < static_cast<int>(blockDim.x) / WARP; w++) {
        if (better(values[w], ids[w], value, id)) {
            value = values[w];
            id = ids[w];
        }
    }
    return id;
}

// First index in [0, last) whose running sum is at least (or, strictly, above) the bound, else last.
__device__ inline int64_t firstReaching(const double *running, int64_t last, double bound, bool strictly) {
    int64_t low = 0;
    int64_t high = last;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        bool reached = strictly ? running[middle] > bound : running[middle] >= bound;
        if (reached) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

__global__ void sample(
        Launch launch, int64_t vocabulary, float *logits, Sampling sampling, int32_t *ids, SortPair *pairs,
        double *running) {
    constexpr int STAGE = 512;
    __shared__ SortScratch scratch;
    __shared__ float values[WARP];
    __shared__ int64_t valueIds[WARP];
    __shared__ double stage[STAGE];
    __shared__ int valid;
    int64_t i = blockIdx.x;
    float *row = logits + i * vocabulary;
    if (threadIdx.x == 0) {
        valid = 1;
        int64_t from = sampling.adjustmentStart[i];
        int64_t to = sampling.adjustmentStart[i + 1];
        if (from < 0 || to < from || to > sampling.adjustments) {
            report(launch, ADJUSTMENTS, i, from, to, sampling.adjustments);
            valid = 0;
            to = from;
        }
        for (int64_t a = from; a < to; a++) {
            int token = sampling.adjustmentToken[a];
            if (token < 0 || token >= vocabulary) {
                report(launch, ADJUSTMENT_TOKEN, a, token, vocabulary - 1);
                valid = 0;
                break;
            }
            row[token] += sampling.adjustment[a];
        }
    }
    __syncthreads();
    if (valid == 0) {
        return;
    }
    int64_t best = highestOf(row, vocabulary, values, valueIds);
    float highest = isNaN(row[best]) ? -infinity() : row[best];
    float temperature = sampling.temperature[i];
    if (!(temperature > 0.0f) || highest == infinity() || highest == -infinity()) {
        if (threadIdx.x == 0) {
            ids[i] = static_cast<int32_t>(best);
        }
        return;
    }
    SortPair *order = pairs + i * 2 * vocabulary;
    running += i * vocabulary;
    for (int64_t v = threadIdx.x; v < vocabulary; v += blockDim.x) {
        order[v] = SortPair{~orderedImage(row[v]), static_cast<uint32_t>(v)};
    }
    __syncthreads();
    blockSort(order, order + vocabulary, vocabulary, scratch);
    double total = 0.0;
    int64_t ranks = 0;
    for (int64_t from = 0; from < vocabulary; from += STAGE) {
        int64_t now = vocabulary - from < STAGE ? vocabulary - from : STAGE;
        __syncthreads();
        for (int64_t r = threadIdx.x; r < now; r += blockDim.x) {
            float logit = row[order[from + r].id];
            stage[r] = isNaN(logit) ? 0.0
                                    : exp((static_cast<double>(logit) - static_cast<double>(highest))
                                          / static_cast<double>(temperature));
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int64_t r = 0; r < now; r++) {
                total += stage[r];
                stage[r] = total;
            }
        }
        __syncthreads();
        for (int64_t r = threadIdx.x; r < now; r += blockDim.x) {
            running[from + r] = stage[r];
        }
        ranks = from + now;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int64_t last = firstReaching(
                running, ranks - 1, static_cast<double>(sampling.topP[i]) * running[ranks - 1], false);
        uint32_t word = philox(
                static_cast<uint32_t>(sampling.position[i]), static_cast<uint32_t>(sampling.choice[i]),
                static_cast<uint32_t>(sampling.seed[2 * i]), static_cast<uint32_t>(sampling.seed[2 * i + 1]));
        double bound = static_cast<double>(word >> 8) * 5.9604644775390625e-8 * running[last]; // times 2^-24
        ids[i] = static_cast<int32_t>(order[firstReaching(running, last, bound, true)].id);
    }
}
