// What dev.plumbline.kernel.KeyTransform names, on one row.
#pragma once

#include "formats.h"

namespace pl {
namespace PL_ISA {

// Sums and differences of numbers 1 apart, then 2, 4, .. apart, then the factor d^-1/2; d is a power of two.
PL_INLINE void hadamard(float *x, int64_t d) {
    int64_t apart = 1;
    for (; apart < d && apart < W; apart *= 2) {
        vi partner = laneIndex() ^ static_cast<int32_t>(apart);
        vi second = (laneIndex() & static_cast<int32_t>(apart)) != 0;
        for (int64_t i = 0; i < d; i += W) {
            vf v = loadPart(x + i, d - i);
            vf other = __builtin_shuffle(v, partner);
            storePart(x + i, second ? other - v : v + other, d - i);
        }
    }
    for (; apart < d; apart *= 2) {
        for (int64_t start = 0; start < d; start += 2 * apart) {
            for (int64_t i = start; i < start + apart; i += W) {
                vf a = load(x + i), b = load(x + i + apart);
                store(x + i, a + b);
                store(x + i + apart, a - b);
            }
        }
    }
    vf factor = splat(static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(d))));
    for (int64_t i = 0; i < d; i += W) {
        storePart(x + i, loadPart(x + i, d - i) * factor, d - i);
    }
}

// In place; the last `rotated` of d dims are rotated by position.
PL_INLINE void transformRow(int32_t transform, float *x, int64_t d, int64_t rotated) {
    switch (transform) {
        case PL_HADAMARD:
            hadamard(x, d);
            break;
        case PL_HADAMARD_FP4:
            hadamard(x, d);
            roundFp4Blocks(x, d);
            break;
        case PL_FP8_BLOCKS:
            roundFp8Blocks(x, d - rotated);
            break;
        default:
            break;
    }
}

} // namespace PL_ISA
} // namespace pl
