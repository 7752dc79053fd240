// Scores of the lightning indexer (spec 3.7): one block a row and a page of keys, a thread an entry and a quarter of the
// heads. Dynamic shared memory: 64 padded keys, headsAtOnce queries and their scales, 4 x 64 partial sums.
#include "formats.cuh"

// How a key lies in shared memory: every number of the smaller formats is a bf16.
template <typename F> struct KeyTile {
    typedef bf16 Type;
};
template <> struct KeyTile<float> {
    typedef float Type;
};

// Rounds a head of a query as the keys are, by a warp; x is shared memory. Returns what the head's weight is to be
// multiplied with.
template <typename F> __device__ inline float roundQuery(float *, int64_t) { return 1.0f; }
template <> __device__ inline float roundQuery<bf16>(float *x, int64_t d) {
    for (int64_t i = threadIdx.x % WARP; i < d; i += WARP) {
        x[i] = widen(narrow<bf16>(x[i]));
    }
    return 1.0f;
}
template <> __device__ inline float roundQuery<IndexFp8>(float *x, int64_t d) {
    float scale = rowScaleE4m3(x, d);
    __syncwarp();
    for (int64_t i = threadIdx.x % WARP; i < d; i += WARP) {
        x[i] = decodeE4m3(encodeE4m3(x[i] / scale));
    }
    return scale;
}
template <> __device__ inline float roundQuery<IndexMxfp4>(float *x, int64_t d) {
    for (int64_t at = 0; at < d; at += E2M1_BLOCK) {
        int64_t n = d - at < E2M1_BLOCK ? d - at : E2M1_BLOCK;
        int code = blockScaleE2m1(x + at, n);
        float scale = powerOfTwo(code);
        __syncwarp();
        for (int64_t i = at + threadIdx.x % WARP; i < at + n; i += WARP) {
            x[i] = (code == E8M0_NAN ? 0.0f : decodeE2m1(encodeE2m1(x[i] / scale))) * scale;
        }
    }
    return 1.0f;
}

// sequence -1: every row, keys by its pages. Otherwise the rows of that sequence alone, whose pages from firstPage on lie
// at the start of `keys`.
template <typename F>
__global__ void indexScores(
        Launch launch, Batch batch, int64_t rowFrom, int64_t heads, const float *q /* [T, H, d] */,
        const float *headWeights /* [T, H] */, Pool keys, Pages pages, int64_t sequence, int64_t firstPage,
        const int32_t *counts /* [T] */, int64_t bf16Scores, float *scores /* [n, stride] */, int64_t stride,
        int64_t headsAtOnce) {
    typedef typename KeyTile<F>::Type Key;
    constexpr int PARTS = 4;
    PL_DYNAMIC_SHARED(unsigned char, memory);
    __shared__ PoolRow<F> rows[PAGE_ENTRIES];
    int64_t t = rowFrom + blockIdx.y;
    int64_t d = keys.width;
    int64_t firstEntry = (firstPage + blockIdx.x) * PAGE_ENTRIES;
    StepRow row;
    if (!readRow(launch, batch, t, row) || (sequence >= 0 && row.sequence != sequence)) {
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
    int64_t pitch = sizeof(Key) == 2 ? d + 2 - (d & 1) : d + 1; // an odd number of words for even d
    Key *tile = reinterpret_cast<Key *>(memory);
    float *queries = reinterpret_cast<float *>(memory + (PAGE_ENTRIES * pitch * sizeof(Key) + 15) / 16 * 16);
    float *queryScales = queries + headsAtOnce * d;
    float *partial = queryScales + headsAtOnce;
    if (threadIdx.x < PAGE_ENTRIES) {
        PoolRow<F> source = {};
        if (threadIdx.x < present && sequence < 0) {
            int64_t poolRowNumber = pages.rowOf(launch, row.sequence, firstEntry + threadIdx.x);
            if (poolRowNumber >= 0) {
                source = poolRow<F>(keys, poolRowNumber / PAGE_ENTRIES, poolRowNumber % PAGE_ENTRIES);
            }
        } else if (threadIdx.x < present) {
            source = poolRow<F>(keys, blockIdx.x, threadIdx.x);
        }
        rows[threadIdx.x] = source;
    }
    __syncthreads();
    for (int64_t i = threadIdx.x; i < PAGE_ENTRIES * d; i += blockDim.x) {
        const PoolRow<F> &source = rows[i / d];
        tile[i / d * pitch + i % d] = narrow<Key>(source.numbers == nullptr ? 0.0f : source.read(i % d, d));
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
            queries[i] = q[(t * heads + from) * d + i];
        }
        __syncthreads();
        for (int64_t h = threadIdx.x / WARP; h < now; h += blockDim.x / WARP) {
            float scale = roundQuery<F>(queries + h * d, d);
            if (threadIdx.x % WARP == 0) {
                queryScales[h] = scale;
            }
        }
        __syncthreads();
        for (int64_t h = from + part; h < from + now; h += PARTS) {
            const float *query = queries + (h - from) * d;
            const Key *key = tile + entry * pitch;
            float dot = 0.0f;
            for (int64_t i = 0; i < d; i++) {
                dot = fmaf(query[i], widen(key[i]), dot);
            }
            float weight = headWeights[t * heads + h] * queryScales[h - from];
            if (bf16Scores != 0) {
                dot = widen(narrow<bf16>(dot));
                sum += widen(narrow<bf16>(weight * (dot < 0.0f ? 0.0f : dot)));
            } else {
                sum += weight * headFactor * (dot < 0.0f ? 0.0f : dot) * dimFactor;
            }
        }
    }
    partial[part * PAGE_ENTRIES + entry] = sum;
    __syncthreads();
    if (part == 0 && entry < present) {
        for (int p = 1; p < PARTS; p++) {
            sum += partial[p * PAGE_ENTRIES + entry];
        }
        if (rows[entry].numbers != nullptr) {
            sum *= rows[entry].scale();
        }
        if (bf16Scores != 0) {
            sum = widen(narrow<bf16>(sum * headFactor * dimFactor));
        }
        scores[static_cast<int64_t>(blockIdx.y) * stride + firstEntry + entry] = sum;
    }
}
