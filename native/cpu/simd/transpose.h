// Turning rows of keys into the column panels that a tile multiplies with.
#pragma once

#include "tile.h"

namespace pl {
namespace PL_ISA {

// Transposes W vectors of W lanes in place by log2(W) butterflies. Bits are only moved, never rounded.
PL_INLINE void transpose(vi (&r)[W]) {
    PL_UNROLL
    for (int half = W / 2; half > 0; half /= 2) {
        vi low, high;
        for (int lane = 0; lane < W; lane++) {
            low[lane] = (lane & half) == 0 ? lane : W + lane - half;
            high[lane] = (lane & half) == 0 ? lane + half : W + lane;
        }
        PL_UNROLL
        for (int i = 0; i < W; i++) {
            if ((i & half) == 0) {
                vi a = r[i], b = r[i | half];
                r[i] = __builtin_shuffle(a, b, low);
                r[i | half] = __builtin_shuffle(a, b, high);
            }
        }
    }
}

PL_INLINE vi loadStep(Fp32, const float *p, int64_t n) {
    return (vi)loadPart(p, n);
}

// W pairs of bf16, of which n elements exist.
PL_INLINE vi loadStep(Bf16, const uint16_t *p, int64_t n) {
    if (n >= 2 * W) {
        return (vi) * reinterpret_cast<const vfUnaligned *>(p);
    }
    alignas(64) uint16_t lanes[2 * W] = {};
    for (int64_t i = 0; i < n; i++) {
        lanes[i] = p[i];
    }
    return *reinterpret_cast<vi *>(lanes);
}

// Packs `rows` rows of `width` elements (row i at row(i), or zeros if that is null) into panels [ceil(rows / NR)]
// [depth][NR]; absent columns are zero.
template <class Op, class Element, class Row>
PL_INLINE void packPanels(Row row, int64_t rows, int64_t width, typename Op::Right *out) {
    int64_t depth = depthOf<Op>(width);
    for (int64_t n = 0; n < roundUp(rows, NR); n += W) {
        const Element *source[W];
        for (int i = 0; i < W; i++) {
            source[i] = n + i < rows ? row(n + i) : nullptr;
        }
        typename Op::Right *panel = out + n / NR * (depth * NR) + n % NR;
        for (int64_t k = 0; k < depth; k += W) {
            vi r[W];
            int64_t left = most<int64_t>(0, width - k * Op::PER_STEP);
            if (n + W <= rows && left >= W * Op::PER_STEP) {
                PL_UNROLL
                for (int i = 0; i < W; i++) {
                    r[i] = (vi) * reinterpret_cast<const vfUnaligned *>(source[i] + k * Op::PER_STEP);
                }
            } else {
                for (int i = 0; i < W; i++) {
                    r[i] = source[i] == nullptr ? vi{} : loadStep(Op(), source[i] + k * Op::PER_STEP, left);
                }
            }
            transpose(r);
            PL_UNROLL
            for (int i = 0; i < W; i++) {
                store(reinterpret_cast<float *>(panel + (k + i) * NR), (vf)r[i]);
            }
        }
    }
}

} // namespace PL_ISA
} // namespace pl
