// Scores of the lightning indexer (spec 3.7): one block a row and a page of keys, a thread an entry and a quarter of the
// heads. Dynamic shared memory: 64 padded keys, then headsAtOnce queries, then 4 x 64 partial sums.
#include "common.cuh"

template <typename T>
__global__ void indexScores(
        Launch launch, Batch batch, int64_t rowFrom, int64_t heads, int64_t d, const float *q, const float *headWeights,
        const T *keys, Pages pages, const int32_t *counts, float *scores, int64_t stride, int64_t headsAtOnce) {
    constexpr int PARTS = 4;
    PL_DYNAMIC_SHARED(unsigned char, memory);
    __shared__ int64_t rows[PAGE_ENTRIES];
    int64_t t = rowFrom + blockIdx.y;
    int64_t firstEntry = static_cast<int64_t>(blockIdx.x) * PAGE_ENTRIES;
    StepRow row;
    if (!readRow(launch, batch, t, row)) {
        return;
    }
    int64_t count = counts[t];
    if (count < 0 || count > stride) {
        report(launch, COUNT, t, count, stride);
        return;
    }
    if (firstEntry >= count) {
        return;
    }
    int64_t present = count - firstEntry < PAGE_ENTRIES ? count - firstEntry : PAGE_ENTRIES;
    int64_t pitch = sizeof(T) == 2 ? d + 2 - (d & 1) : d + 1; // an odd number of words for even d
    T *tile = reinterpret_cast<T *>(memory);
    float *queries = reinterpret_cast<float *>(memory + (PAGE_ENTRIES * pitch * sizeof(T) + 15) / 16 * 16);
    float *partial = queries + headsAtOnce * d;
    if (threadIdx.x < PAGE_ENTRIES) {
        rows[threadIdx.x] = threadIdx.x < present ? pages.rowOf(launch, row.sequence, firstEntry + threadIdx.x) : -1;
    }
    __syncthreads();
    for (int64_t i = threadIdx.x; i < PAGE_ENTRIES * d; i += blockDim.x) {
        int64_t source = rows[i / d];
        tile[i / d * pitch + i % d] = source < 0 ? narrow<T>(0.0f) : keys[source * d + i % d];
    }
    int entry = threadIdx.x % PAGE_ENTRIES;
    int part = threadIdx.x / PAGE_ENTRIES;
    float headFactor = static_cast<float>(1.0 / sqrt(static_cast<double>(heads)));
    float dimFactor = static_cast<float>(1.0 / sqrt(static_cast<double>(d)));
    float sum = 0.0f;
    for (int64_t from = 0; from < heads; from += headsAtOnce) {
        int64_t now = heads - from < headsAtOnce ? heads - from : headsAtOnce;
        __syncthreads();
        for (int64_t i = threadIdx.x; i < now * d; i += blockDim.x) {
            // With bf16 keys the query is rounded too.
            queries[i] = widen(narrow<T>(q[(t * heads + from) * d + i]));
        }
        __syncthreads();
        for (int64_t h = from + part; h < from + now; h += PARTS) {
            const float *query = queries + (h - from) * d;
            const T *key = tile + entry * pitch;
            float dot = 0.0f;
            for (int64_t i = 0; i < d; i++) {
                dot = fmaf(query[i], widen(key[i]), dot);
            }
            float factor = headWeights[t * heads + h] * headFactor;
            sum += factor * (dot < 0.0f ? 0.0f : dot) * dimFactor;
        }
    }
    partial[part * PAGE_ENTRIES + entry] = sum;
    __syncthreads();
    if (part == 0 && entry < present) {
        for (int p = 1; p < PARTS; p++) {
            sum += partial[p * PAGE_ENTRIES + entry];
        }
        scores[static_cast<int64_t>(blockIdx.y) * stride + firstEntry + entry] = sum;
    }
}
