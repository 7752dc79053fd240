// The register tile under every matrix product: M rows times V vectors of columns.
//
// The left operand comes in blocks of KB steps, [depth / KB][M][KB], the right one in rows of `stride` elements, one row
// a step. An element of the result is accumulated step by step in ascending order into one accumulator, whatever M and
// V are: that is what makes results independent of how many rows are computed together.
#pragma once

#include "vec.h"

namespace pl {
namespace PL_ISA {

// fp32 times fp32.
struct Fp32 {
    using Left = float;
    using Right = float;
    static constexpr int PER_STEP = 1;  // k's of a step
    static constexpr int LEFT_PER_STEP = 1;

    template <int M, int V>
    PL_INLINE void step(const float *left, const float *right, vf (&acc)[M][V], int leftStride) {
        vf b[V];
        PL_UNROLL
        for (int v = 0; v < V; v++) {
            b[v] = load(right + v * W);
        }
        PL_UNROLL
        for (int m = 0; m < M; m++) {
            vf a = splat(left[m * leftStride]);
            PL_UNROLL
            for (int v = 0; v < V; v++) {
                acc[m][v] = fma(a, b[v], acc[m][v]);
            }
        }
    }
};

#if defined(__AVX512BF16__)

// Pairs of bf16 times pairs of bf16 by the dot-product instruction.
struct Bf16 {
    using Left = uint32_t;
    using Right = uint32_t;
    static constexpr int PER_STEP = 2;
    static constexpr int LEFT_PER_STEP = 1;

    template <int M, int V>
    PL_INLINE void step(const uint32_t *left, const uint32_t *right, vf (&acc)[M][V], int leftStride) {
        __m512i b[V];
        PL_UNROLL
        for (int v = 0; v < V; v++) {
            b[v] = _mm512_loadu_si512(right + v * W);
        }
        PL_UNROLL
        for (int m = 0; m < M; m++) {
            __m512i a = _mm512_set1_epi32(static_cast<int>(left[m * leftStride]));
            PL_UNROLL
            for (int v = 0; v < V; v++) {
                acc[m][v] = _mm512_dpbf16_ps(acc[m][v], (__m512bh)a, (__m512bh)b[v]);
            }
        }
    }
};

#else

// The same by widening: the left operand is kept as rounded fp32, two a step.
struct Bf16 {
    using Left = float;
    using Right = uint32_t;
    static constexpr int PER_STEP = 2;
    static constexpr int LEFT_PER_STEP = 2;

    template <int M, int V>
    PL_INLINE void step(const float *left, const uint32_t *right, vf (&acc)[M][V], int leftStride) {
        vf b[V];
        PL_UNROLL
        for (int v = 0; v < V; v++) {
            b[v] = evenOfPairs(*reinterpret_cast<const vuUnaligned *>(right + v * W));
        }
        PL_UNROLL
        for (int m = 0; m < M; m++) {
            vf a = splat(left[m * leftStride]);
            PL_UNROLL
            for (int v = 0; v < V; v++) {
                acc[m][v] = fma(a, b[v], acc[m][v]);
            }
        }
        PL_UNROLL
        for (int v = 0; v < V; v++) {
            b[v] = oddOfPairs(*reinterpret_cast<const vuUnaligned *>(right + v * W));
        }
        PL_UNROLL
        for (int m = 0; m < M; m++) {
            vf a = splat(left[m * leftStride + 1]);
            PL_UNROLL
            for (int v = 0; v < V; v++) {
                acc[m][v] = fma(a, b[v], acc[m][v]);
            }
        }
    }
};

#endif

// Elements of the left operand in one block of one row.
template <class Op>
constexpr int leftBlock() {
    return KB * Op::LEFT_PER_STEP;
}

// Steps [from, to) of the product.
template <class Op, int M, int V>
PL_INLINE void tile(
        const typename Op::Left *left, const typename Op::Right *right, int64_t stride, int64_t from, int64_t to,
        vf (&acc)[M][V]) {
    constexpr int BLOCK = leftBlock<Op>();
    for (int64_t k = from; k < to;) {
        int64_t end = least(to, (k / KB + 1) * KB);
        const typename Op::Left *a = left + (k / KB) * (M * BLOCK) + (k % KB) * Op::LEFT_PER_STEP;
        const typename Op::Right *b = right + k * stride;
        for (; k < end; k++) {
            Op::template step<M, V>(a, b, acc, BLOCK);
            a += Op::LEFT_PER_STEP;
            b += stride;
        }
    }
}

// Several panels at once, for few rows: enough independent accumulators to hide the latency of a step.
template <class Op, int M, int P>
PL_INLINE void tilePanels(
        const typename Op::Left *left, const typename Op::Right *right, int64_t panel, int64_t depth,
        vf (&acc)[P][M][2]) {
    constexpr int BLOCK = leftBlock<Op>();
    for (int64_t block = 0; block < depth / KB; block++) {
        const typename Op::Left *a = left + block * (M * BLOCK);
        const typename Op::Right *b = right + block * (KB * NR);
        for (int k = 0; k < KB; k++) {
            PL_UNROLL
            for (int p = 0; p < P; p++) {
                Op::template step<M, 2>(a, b + p * panel, acc[p], BLOCK);
            }
            a += Op::LEFT_PER_STEP;
            b += NR;
        }
    }
}

// Packs one row of `width` floats into its place of a left operand with m rows; the rest of the last block is zero.
PL_INLINE void packLeftRow(Fp32, const float *x, int64_t width, int64_t m, float *out) {
    for (int64_t k = 0; k < width; k += KB) {
        for (int j = 0; j < KB; j += W) {
            store(out + j, loadPart(x + k + j, most<int64_t>(0, width - k - j)));
        }
        out += m * KB;
    }
}

PL_INLINE void packLeftRow(Bf16, const float *x, int64_t width, int64_t m, Bf16::Left *out) {
    constexpr int BLOCK = leftBlock<Bf16>();
    for (int64_t k = 0; k < width; k += 2 * KB) {
        for (int j = 0; j < 2 * KB; j += W) {
            vf v = loadPart(x + k + j, most<int64_t>(0, width - k - j));
            if constexpr (Bf16::LEFT_PER_STEP == 1) {
                storeBf16(reinterpret_cast<uint16_t *>(out) + j, v);
            } else {
                store(reinterpret_cast<float *>(out) + j, (vf)roundedBits(v));
            }
        }
        out += m * BLOCK;
    }
}

// Heads come in tiles of HEADS, the rest in tiles of powers of two: few shapes to compile, and the results are the same.
PL_INLINE int64_t headTile(int64_t heads) {
    int64_t tile = HEADS;
    while (tile > heads) {
        tile /= 2;
    }
    return tile;
}

// Calls body(Int<n>()) for a result n of headTile.
template <int Most = HEADS, class Body>
PL_INLINE void withHeadTile(int64_t n, Body &&body) {
    if constexpr (Most > 1) {
        if (n < Most) {
            withHeadTile<Most / 2>(n, body);
            return;
        }
    }
    body(Int<Most>());
}

// Steps of a product over `width` elements, padded to whole blocks.
template <class Op>
PL_INLINE int64_t depthOf(int64_t width) {
    return roundUp(ceilDiv(width, Op::PER_STEP), KB);
}

} // namespace PL_ISA
} // namespace pl
