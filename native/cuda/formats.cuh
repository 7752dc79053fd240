// What a page of a pool holds, byte by byte. dev.plumbline.precision.PageFormat states the formats, and its neighbours
// compute the same roundings on the host; storage agrees to the bit.
#pragma once
#include "common.cuh"

// Formats besides float and bf16, whose rows are plain numbers.
struct IndexFp8 {};   // a row: d e4m3; behind the rows of a page, an fp32 scale each
struct IndexMxfp4 {}; // a row: d/2 bytes of e2m1 pairs; behind the rows, ceil(d/32) E8M0 scales each
struct KvFp8 {};      // a row: d - R e4m3, then R bf16; behind the rows, ceil((d - R)/64) E8M0 scales each, padded to 8

// A pool, or a ring whose pages are its slots.
struct Pool {
    unsigned char *data; // pages, one after another
    int64_t pages;
    int64_t rows; // of a page
    int64_t width;
    int64_t rotated; // of KvFp8
};

constexpr float E4M3_HIGHEST = 448.0f;
constexpr float E2M1_HIGHEST = 6.0f;
constexpr int E4M3_NAN = 0x7f;
constexpr int E8M0_NAN = 255;

__device__ inline float magnitude(float x) { return __uint_as_float(__float_as_uint(x) & 0x7fffffffu); }

// Nearest e4m3, ties to even, saturating.
__device__ inline int encodeE4m3(float value) {
    if (isNaN(value)) {
        return E4M3_NAN;
    }
    int sign = static_cast<int>(__float_as_uint(value) >> 31 << 7);
    float size = magnitude(value);
    if (size >= E4M3_HIGHEST) {
        return sign | 0x7e;
    }
    if (size < 0.015625f) { // 2^-6: below, codes count multiples of 2^-9
        return sign | static_cast<int>(rintf(size * 512.0f));
    }
    uint32_t bits = __float_as_uint(size);
    uint32_t rounded = bits + 0x7ffffu + (bits >> 20 & 1u);
    int code = static_cast<int>(rounded >> 20) - (120 << 3);
    return sign | (code < 0x7e ? code : 0x7e);
}

__device__ inline float decodeE4m3(int code) {
    uint32_t sign = static_cast<uint32_t>(code & 0x80) << 24;
    int size = code & 0x7f;
    if (size == E4M3_NAN) {
        return __uint_as_float(sign | 0x7fc00000u);
    }
    float value = size < 8 ? static_cast<float>(size) * 0.001953125f
                           : __uint_as_float(static_cast<uint32_t>(size + (120 << 3)) << 20);
    return __uint_as_float(__float_as_uint(value) | sign);
}

// Nearest e2m1, ties to the even code, saturating.
__device__ inline int encodeE2m1(float value) {
    int sign = static_cast<int>(__float_as_uint(value) >> 31 << 3);
    float size = magnitude(value);
    int code = size <= 0.25f ? 0 : size < 0.75f ? 1 : size <= 1.25f ? 2 : size < 1.75f ? 3 : size <= 2.5f ? 4
               : size < 3.5f ? 5 : size <= 5.0f ? 6 : 7;
    return sign | code;
}

__device__ inline float decodeE2m1(int code) {
    int size = code & 7;
    float value = size < 2 ? static_cast<float>(size) * 0.5f
                           : __uint_as_float(static_cast<uint32_t>(126 + size / 2) << 23 |
                                             static_cast<uint32_t>(size & 1) << 22);
    return code & 8 ? -value : value;
}

// E8M0 code of the least power of two not below a positive normal number, and the number of a code.
__device__ inline int powerOfTwoCode(float least) {
    uint32_t bits = __float_as_uint(least);
    return static_cast<int>(bits >> 23) + ((bits & 0x7fffffu) == 0 ? 0 : 1);
}
__device__ inline float powerOfTwo(int code) { return __uint_as_float(static_cast<uint32_t>(code) << 23); }

// ---- scales of a block of numbers; all lanes of a warp call, x is memory that they all see ---------------------------

// Largest magnitude of x[0..n), at least `floor`; infinities count as the largest float and NaN not at all.
__device__ inline float warpHighest(const float *x, int64_t n, float floor) {
    float highest = floor;
    for (int64_t i = threadIdx.x % WARP; i < n; i += WARP) {
        float size = fminf(magnitude(x[i]), 3.402823466e+38f);
        if (!isNaN(x[i]) && size > highest) {
            highest = size;
        }
    }
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        highest = fmaxf(highest, __shfl_xor_sync(ALL_LANES, highest, offset));
    }
    return highest;
}

__device__ inline bool warpHasNaN(const float *x, int64_t n) {
    bool found = false;
    for (int64_t i = threadIdx.x % WARP; i < n; i += WARP) {
        found = found || isNaN(x[i]);
    }
    return __ballot_sync(ALL_LANES, found) != 0;
}

__device__ inline float rowScaleE4m3(const float *x, int64_t n) { return warpHighest(x, n, 1e-4f) / E4M3_HIGHEST; }
__device__ inline int blockScaleE4m3(const float *x, int64_t n) { return powerOfTwoCode(rowScaleE4m3(x, n)); }
__device__ inline int blockScaleE2m1(const float *x, int64_t n) {
    int code = powerOfTwoCode(warpHighest(x, n, 7.05296623e-38f) / E2M1_HIGHEST); // 6 * 2^-126
    return warpHasNaN(x, n) ? E8M0_NAN : code;
}

constexpr int E2M1_BLOCK = 32;
constexpr int E4M3_BLOCK = 64;

// ---- rounding in place, by all threads of a block of whole warps; x is shared memory ---------------------------------

// e2m1 in blocks of 32 dims.
__device__ inline void roundE2m1(float *x, int64_t d) {
    for (int64_t at = threadIdx.x / WARP * E2M1_BLOCK; at < d; at += blockDim.x / WARP * E2M1_BLOCK) {
        int64_t n = d - at < E2M1_BLOCK ? d - at : E2M1_BLOCK;
        int code = blockScaleE2m1(x + at, n);
        float scale = powerOfTwo(code);
        __syncwarp();
        for (int64_t i = at + threadIdx.x % WARP; i < at + n; i += WARP) {
            x[i] = (code == E8M0_NAN ? 0.0f : decodeE2m1(encodeE2m1(x[i] / scale))) * scale;
        }
    }
    __syncthreads();
}

// e4m3 in blocks of 64 dims.
__device__ inline void roundE4m3(float *x, int64_t d) {
    for (int64_t at = threadIdx.x / WARP * E4M3_BLOCK; at < d; at += blockDim.x / WARP * E4M3_BLOCK) {
        int64_t n = d - at < E4M3_BLOCK ? d - at : E4M3_BLOCK;
        float scale = powerOfTwo(blockScaleE4m3(x + at, n));
        __syncwarp();
        for (int64_t i = at + threadIdx.x % WARP; i < at + n; i += WARP) {
            x[i] = decodeE4m3(encodeE4m3(x[i] / scale)) * scale;
        }
    }
    __syncthreads();
}

// The order is that of dev.plumbline.kernel.KeyTransform.
enum KeyTransform { NONE, HADAMARD, HADAMARD_FP4, FP8_BLOCKS };

// Sylvester's Hadamard matrix times d^-1/2; d is a power of two.
__device__ inline void hadamard(float *x, int64_t d) {
    for (int64_t apart = 1; apart < d; apart *= 2) {
        for (int64_t pair = threadIdx.x; pair < d / 2; pair += blockDim.x) {
            int64_t i = pair / apart * 2 * apart + pair % apart;
            float a = x[i];
            float b = x[i + apart];
            x[i] = a + b;
            x[i + apart] = a - b;
        }
        __syncthreads();
    }
    float factor = static_cast<float>(1.0 / sqrt(static_cast<double>(d)));
    for (int64_t i = threadIdx.x; i < d; i += blockDim.x) {
        x[i] *= factor;
    }
    __syncthreads();
}

// What is done to a row between its rotation by position and its storage.
__device__ inline void transformRow(int64_t transform, float *x, int64_t d, int64_t rotated) {
    if (transform == HADAMARD || transform == HADAMARD_FP4) {
        hadamard(x, d);
    }
    if (transform == HADAMARD_FP4) {
        roundE2m1(x, d);
    } else if (transform == FP8_BLOCKS) {
        roundE4m3(x, d - rotated);
    }
}

// ---- rows of a pool --------------------------------------------------------------------------------------------------

// Where the numbers and the scales of a row lie.
template <typename F> struct PoolRow {
    F *numbers;

    __device__ float read(int64_t i, int64_t) const { return widen(numbers[i]); }
    // What the numbers that read() gives are to be multiplied with.
    __device__ float scale() const { return 1.0f; }
};
template <> struct PoolRow<IndexFp8> {
    unsigned char *numbers;
    float *scales;

    __device__ float read(int64_t i, int64_t) const { return decodeE4m3(numbers[i]); }
    __device__ float scale() const { return *scales; }
};
template <> struct PoolRow<IndexMxfp4> {
    unsigned char *numbers;
    unsigned char *scales;

    __device__ float read(int64_t i, int64_t) const {
        return decodeE2m1(numbers[i / 2] >> (i % 2 == 0 ? 0 : 4)) * powerOfTwo(scales[i / E2M1_BLOCK]);
    }
    __device__ float scale() const { return 1.0f; }
};
template <> struct PoolRow<KvFp8> {
    unsigned char *numbers;
    unsigned char *scales;

    // plain: dims that are not rotated.
    __device__ float read(int64_t i, int64_t plain) const {
        if (i < plain) {
            return decodeE4m3(numbers[i]) * powerOfTwo(scales[i / E4M3_BLOCK]);
        }
        int64_t at = plain + 2 * (i - plain);
        return widen(bf16{static_cast<uint16_t>(numbers[at] | numbers[at + 1] << 8)});
    }
    __device__ float scale() const { return 1.0f; }
};

// Row `row` of page `page`.
template <typename F> __device__ inline PoolRow<F> poolRow(const Pool &pool, int64_t page, int64_t row);
template <> __device__ inline PoolRow<float> poolRow(const Pool &pool, int64_t page, int64_t row) {
    return {reinterpret_cast<float *>(pool.data) + (page * pool.rows + row) * pool.width};
}
template <> __device__ inline PoolRow<bf16> poolRow(const Pool &pool, int64_t page, int64_t row) {
    return {reinterpret_cast<bf16 *>(pool.data) + (page * pool.rows + row) * pool.width};
}
template <> __device__ inline PoolRow<IndexFp8> poolRow(const Pool &pool, int64_t page, int64_t row) {
    unsigned char *start = pool.data + page * pool.rows * (pool.width + 4);
    // A page of 64 rows: the scales lie on multiples of 4 bytes whatever the width.
    return {start + row * pool.width, reinterpret_cast<float *>(start + pool.rows * pool.width) + row};
}
template <> __device__ inline PoolRow<IndexMxfp4> poolRow(const Pool &pool, int64_t page, int64_t row) {
    int64_t scales = (pool.width + E2M1_BLOCK - 1) / E2M1_BLOCK;
    unsigned char *start = pool.data + page * pool.rows * (pool.width / 2 + scales);
    return {start + row * (pool.width / 2), start + pool.rows * (pool.width / 2) + row * scales};
}
template <> __device__ inline PoolRow<KvFp8> poolRow(const Pool &pool, int64_t page, int64_t row) {
    int64_t plain = pool.width - pool.rotated;
    int64_t numbers = plain + 2 * pool.rotated;
    int64_t scales = ((plain + E4M3_BLOCK - 1) / E4M3_BLOCK + 7) / 8 * 8;
    unsigned char *start = pool.data + page * pool.rows * (numbers + scales);
    return {start + row * numbers, start + pool.rows * numbers + row * scales};
}

// Stores a row, by all threads of a block of whole warps; x [width] is shared memory, complete.
__device__ inline void storeRow(const Pool &pool, const PoolRow<float> &row, const float *x) {
    for (int64_t i = threadIdx.x; i < pool.width; i += blockDim.x) {
        row.numbers[i] = x[i];
    }
}
__device__ inline void storeRow(const Pool &pool, const PoolRow<bf16> &row, const float *x) {
    for (int64_t i = threadIdx.x; i < pool.width; i += blockDim.x) {
        row.numbers[i] = narrow<bf16>(x[i]);
    }
}
__device__ inline void storeRow(const Pool &pool, const PoolRow<IndexFp8> &row, const float *x) {
    // Every warp finds the scale: cheaper than to wait for one.
    float scale = rowScaleE4m3(x, pool.width);
    for (int64_t i = threadIdx.x; i < pool.width; i += blockDim.x) {
        row.numbers[i] = static_cast<unsigned char>(encodeE4m3(x[i] / scale));
    }
    if (threadIdx.x == 0) {
        *row.scales = scale;
    }
}
__device__ inline void storeRow(const Pool &pool, const PoolRow<IndexMxfp4> &row, const float *x) {
    for (int64_t block = threadIdx.x / WARP; block * E2M1_BLOCK < pool.width; block += blockDim.x / WARP) {
        int64_t at = block * E2M1_BLOCK;
        int64_t n = pool.width - at < E2M1_BLOCK ? pool.width - at : E2M1_BLOCK;
        int code = blockScaleE2m1(x + at, n);
        float scale = powerOfTwo(code);
        for (int64_t i = at + 2 * (threadIdx.x % WARP); i < at + n; i += 2 * WARP) {
            int low = code == E8M0_NAN ? 0 : encodeE2m1(x[i] / scale);
            int high = code == E8M0_NAN ? 0 : encodeE2m1(x[i + 1] / scale);
            row.numbers[i / 2] = static_cast<unsigned char>(low | high << 4);
        }
        if (threadIdx.x % WARP == 0) {
            row.scales[block] = static_cast<unsigned char>(code);
        }
    }
}
__device__ inline void storeRow(const Pool &pool, const PoolRow<KvFp8> &row, const float *x) {
    int64_t plain = pool.width - pool.rotated;
    for (int64_t block = threadIdx.x / WARP; block * E4M3_BLOCK < plain; block += blockDim.x / WARP) {
        int64_t at = block * E4M3_BLOCK;
        int64_t n = plain - at < E4M3_BLOCK ? plain - at : E4M3_BLOCK;
        int code = blockScaleE4m3(x + at, n);
        float scale = powerOfTwo(code);
        for (int64_t i = at + threadIdx.x % WARP; i < at + n; i += WARP) {
            row.numbers[i] = static_cast<unsigned char>(encodeE4m3(x[i] / scale));
        }
        if (threadIdx.x % WARP == 0) {
            row.scales[block] = static_cast<unsigned char>(code);
        }
    }
    for (int64_t i = plain + threadIdx.x; i < pool.width; i += blockDim.x) {
        uint16_t bits = bf16Bits(x[i]);
        int64_t at = plain + 2 * (i - plain);
        row.numbers[at] = static_cast<unsigned char>(bits & 255);
        row.numbers[at + 1] = static_cast<unsigned char>(bits >> 8);
    }
}
