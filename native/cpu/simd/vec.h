// Vectors of fp32 for the instruction set that this file is compiled for. Everything here lives in a namespace named
// after it (PL_ISA) and nothing instantiates library templates, so that no symbol compiled for a newer instruction set
// can be merged with one that runs on an older machine.
#pragma once

#include "kernels.h"
#include "numbers.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#ifndef PL_ISA
#error "PL_ISA names the instruction set"
#endif

#define PL_INLINE static inline __attribute__((always_inline))
#define PL_UNROLL _Pragma("GCC unroll 32")

namespace pl {
namespace PL_ISA {

#if defined(__AVX512F__)
constexpr int W = 16;       // lanes of a vector
constexpr int ROWS = 12;    // rows of a linear's register tile: 12 x 2 accumulators of 32 registers
constexpr int HEADS = 8;    // heads of an attention tile
#elif defined(__AVX2__)
constexpr int W = 8;
constexpr int ROWS = 6; // 6 x 2 of 16 registers
constexpr int HEADS = 4;
#else
constexpr int W = 4;
constexpr int ROWS = 4;
constexpr int HEADS = 4;
#endif

constexpr int NR = 2 * W; // columns of a packed panel
constexpr int KB = 16;    // depth of a block of a packed left operand

typedef float vf __attribute__((vector_size(4 * W), may_alias));
typedef int32_t vi __attribute__((vector_size(4 * W), may_alias));
typedef uint32_t vu __attribute__((vector_size(4 * W), may_alias));
typedef uint16_t vh __attribute__((vector_size(2 * W), may_alias));
typedef float vfUnaligned __attribute__((vector_size(4 * W), may_alias, aligned(4)));
typedef uint32_t vuUnaligned __attribute__((vector_size(4 * W), may_alias, aligned(4)));
typedef uint16_t vhUnaligned __attribute__((vector_size(2 * W), may_alias, aligned(2)));

template <class T>
PL_INLINE T least(T a, T b) {
    return a < b ? a : b;
}

template <class T>
PL_INLINE T most(T a, T b) {
    return a > b ? a : b;
}

PL_INLINE int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

PL_INLINE int64_t roundUp(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }

PL_INLINE vf splat(float x) { return x - vf{}; }

PL_INLINE vi splatInt(int32_t x) { return x - vi{}; }

PL_INLINE vf load(const float *p) { return *reinterpret_cast<const vfUnaligned *>(p); }

PL_INLINE void store(float *p, vf v) { *reinterpret_cast<vfUnaligned *>(p) = v; }

PL_INLINE vf fma(vf a, vf b, vf c) {
#if defined(__AVX512F__)
    return _mm512_fmadd_ps(a, b, c);
#elif defined(__FMA__)
    return _mm256_fmadd_ps(a, b, c);
#else
    return a * b + c;
#endif
}

// A NaN in the first operand survives; one in the second is passed over. Bounds therefore come second. The maximum of a
// softmax may lose a NaN, because its exponential is a NaN again.
PL_INLINE vf vmax(vf a, vf b) { return b > a ? b : a; }

PL_INLINE vf vmin(vf a, vf b) { return b < a ? b : a; }

PL_INLINE vf vsqrt(vf a) {
#if defined(__AVX512F__)
    return _mm512_sqrt_ps(a);
#elif defined(__AVX2__)
    return _mm256_sqrt_ps(a);
#else
    vf r;
    for (int i = 0; i < W; i++) {
        r[i] = __builtin_sqrtf(a[i]);
    }
    return r;
#endif
}

PL_INLINE vi laneIndex() {
    vi r;
    for (int i = 0; i < W; i++) {
        r[i] = i;
    }
    return r;
}

// The first n lanes from memory, zeros after them.
PL_INLINE vf loadPart(const float *p, int64_t n) {
    if (n >= W) {
        return load(p);
    }
    alignas(64) float lanes[W] = {};
    for (int64_t i = 0; i < n; i++) {
        lanes[i] = p[i];
    }
    return load(lanes);
}

PL_INLINE void storePart(float *p, vf v, int64_t n) {
    if (n >= W) {
        store(p, v);
        return;
    }
    alignas(64) float lanes[W];
    store(lanes, v);
    for (int64_t i = 0; i < n; i++) {
        p[i] = lanes[i];
    }
}

// Upper half of the lanes added to or compared with the lower half, again and again: always the same tree.
#if defined(__AVX2__)
PL_INLINE __m256 lowHalf(vf v) {
#if defined(__AVX512F__)
    return _mm512_castps512_ps256(v);
#else
    return v;
#endif
}

PL_INLINE float sumLanes(vf v) {
    __m256 a = lowHalf(v);
#if defined(__AVX512F__)
    a = _mm256_add_ps(a, _mm512_extractf32x8_ps(v, 1));
#endif
    __m128 b = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    b = _mm_add_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_add_ss(b, _mm_movehdup_ps(b)));
}

PL_INLINE float maxLanes(vf v) {
    __m256 a = lowHalf(v);
#if defined(__AVX512F__)
    a = _mm256_max_ps(a, _mm512_extractf32x8_ps(v, 1));
#endif
    __m128 b = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    b = _mm_max_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_max_ss(b, _mm_movehdup_ps(b)));
}
#else
PL_INLINE float sumLanes(vf v) { return (v[0] + v[2]) + (v[1] + v[3]); }

PL_INLINE float maxLanes(vf v) {
    float a = v[0] > v[2] ? v[0] : v[2];
    float b = v[1] > v[3] ? v[1] : v[3];
    return a > b ? a : b;
}
#endif

// fp32 bits of bf16 pairs: the element with the even index sits in the low half.
PL_INLINE vf evenOfPairs(vu pairs) { return (vf)(pairs << 16); }

PL_INLINE vf oddOfPairs(vu pairs) { return (vf)(pairs & 0xffff0000u); }

PL_INLINE vf widen(const uint16_t *p) {
    vh half = *reinterpret_cast<const vhUnaligned *>(p);
    return (vf)(__builtin_convertvector(half, vu) << 16);
}

// Bits of the nearest bf16 (ties to even) in the high half; NaN stays a quiet NaN.
PL_INLINE vu roundedBits(vf v) {
    vu bits = (vu)v;
    vu rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
    vu nan = (bits & 0xffff0000u) | 0x400000u;
    return (vu)((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

PL_INLINE void storeBf16(uint16_t *p, vf v) {
    *reinterpret_cast<vhUnaligned *>(p) = __builtin_convertvector(roundedBits(v) >> 16, vh);
}

PL_INLINE void storeBf16Part(uint16_t *p, vf v, int64_t n) {
    if (n >= W) {
        storeBf16(p, v);
        return;
    }
    alignas(64) float lanes[W];
    store(lanes, v);
    for (int64_t i = 0; i < n; i++) {
        p[i] = roundToBf16(lanes[i]);
    }
}

// e^x within 2 units in the last place; 0 below -104, infinity above 88.73, NaN for NaN.
PL_INLINE vf vexp(vf x) {
    constexpr float LOWEST = -104.0f;
    constexpr float HIGHEST = 88.7228394f;
    vf bounded = x < LOWEST ? splat(LOWEST) : x;
    bounded = bounded > HIGHEST ? splat(HIGHEST) : bounded;
    // n = round(x / ln 2) by adding 1.5 * 2^23, which leaves n in the low bits.
    vf shifted = fma(bounded, splat(1.44269504088896341f), splat(12582912.0f));
    vf n = shifted - 12582912.0f;
    vf r = fma(n, splat(-0.693359375f), bounded);
    r = fma(n, splat(2.12194440e-4f), r);
    vf p = splat(1.9875691500e-4f);
    p = fma(p, r, splat(1.3981999507e-3f));
    p = fma(p, r, splat(8.3334519073e-3f));
    p = fma(p, r, splat(4.1665795894e-2f));
    p = fma(p, r, splat(1.6666665459e-1f));
    p = fma(p, r, splat(5.0000001201e-1f));
    p = fma(p, r * r, r) + 1.0f;
    // 2^n in two factors, so that both ends of the range come out right.
    vi whole = (vi)shifted - 0x4b400000;
    vi half = whole >> 1;
    vf result = p * (vf)((half + 127) << 23) * (vf)((whole - half + 127) << 23);
    result = x < LOWEST ? vf{} : result;
    return x > HIGHEST ? splat(__builtin_inff()) : result;
}

template <int N>
struct Int {
    static constexpr int value = N;
};

// Calls body(Int<n>()) for 1 <= n <= Max, so that n is a constant inside.
template <int Max, class Body>
PL_INLINE void withConstant(int64_t n, Body &&body) {
    if constexpr (Max > 1) {
        if (n < Max) {
            withConstant<Max - 1>(n, body);
            return;
        }
    }
    body(Int<Max>());
}

} // namespace PL_ISA
} // namespace pl
