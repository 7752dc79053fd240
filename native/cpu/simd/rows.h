// Row-wise work over the threads.
#pragma once

#include "vec.h"

namespace pl {
namespace PL_ISA {

// Elements that one thread handles in about the time that handing over work costs.
constexpr int64_t GRAIN = 8192;

// Calls body(from, to, thread) for ranges of rows of about GRAIN elements; alone when there is less than two of that.
template <class Body>
PL_INLINE void forRows(Context &context, int64_t rows, int64_t elementsPerRow, Body body) {
    int64_t step = most<int64_t>(1, GRAIN / most<int64_t>(1, elementsPerRow));
    // Not more than a few ranges per thread.
    step = most(step, ceilDiv(rows, 4 * context.pool.threads()));
    int64_t chunks = ceilDiv(rows, step);
    auto range = [&](int64_t chunk, int thread) { body(chunk * step, least(rows, (chunk + 1) * step), thread); };
    if (chunks < 2) {
        if (rows > 0) {
            range(0, 0);
        }
        return;
    }
    parallel(context, chunks, range);
}

// Sum of squares of a row, by four accumulators that depend on the width alone.
PL_INLINE float sumSquares(const float *x, int64_t width) {
    vf a = {}, b = {}, c = {}, d = {};
    int64_t i = 0;
    for (; i + 4 * W <= width; i += 4 * W) {
        vf p = load(x + i), q = load(x + i + W), r = load(x + i + 2 * W), s = load(x + i + 3 * W);
        a = fma(p, p, a);
        b = fma(q, q, b);
        c = fma(r, r, c);
        d = fma(s, s, d);
    }
    for (; i < width; i += W) {
        vf p = loadPart(x + i, width - i);
        a = fma(p, p, a);
    }
    return sumLanes((a + b) + (c + d));
}

PL_INLINE float rmsScale(const float *x, int64_t width, float eps) {
    return 1.0f / __builtin_sqrtf(sumSquares(x, width) / static_cast<float>(width) + eps);
}

// Rotates interleaved pairs in place: lane i of `cosines` is the cosine of its pair, of `sines` the sine with the sign
// that its lane needs.
PL_INLINE void rotate(float *x, const float *cosines, const float *sines, int64_t rotated) {
    for (int64_t i = 0; i < rotated; i += W) {
        int64_t n = rotated - i;
        vf v = loadPart(x + i, n);
        vf swapped = __builtin_shuffle(v, laneIndex() ^ 1);
        storePart(x + i, fma(v, load(cosines + i), swapped * load(sines + i)), n);
    }
}

// Spreads a row (cos, sin, cos, sin, ..) into the two operands of rotate, each padded to whole vectors.
PL_INLINE void spreadAngles(const float *table, int64_t rotated, bool inverse, float *cosines, float *sines) {
    float sign = inverse ? -1.0f : 1.0f;
    for (int64_t i = 0; i < rotated; i += 2) {
        cosines[i] = cosines[i + 1] = table[i];
        sines[i] = -sign * table[i + 1];
        sines[i + 1] = sign * table[i + 1];
    }
    for (int64_t i = rotated; i < roundUp(rotated, W); i++) {
        cosines[i] = sines[i] = 0.0f;
    }
}

} // namespace PL_ISA
} // namespace pl
