// The gated activation of the feed-forward parts.
#pragma once

#include "vec.h"

namespace pl {
namespace PL_ISA {

// h = silu(min(g, limit)) * clamp(u, -limit, limit) for one row [g (width), u (width)].
PL_INLINE void swigluRow(const float *gateUp, int64_t width, float limit, float *h) {
    for (int64_t i = 0; i < width; i += W) {
        int64_t n = width - i;
        vf g = vmin(loadPart(gateUp + i, n), splat(limit));
        vf u = vmax(vmin(loadPart(gateUp + width + i, n), splat(limit)), splat(-limit));
        storePart(h + i, g / (1.0f + vexp(-g)) * u, n);
    }
}

} // namespace PL_ISA
} // namespace pl
