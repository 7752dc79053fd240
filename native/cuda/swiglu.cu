// h = silu(min(g, limit)) * clamp(u, -limit, limit); gateUp [rows, 2 * I] holds g then u. NaN stays NaN.
#include "common.cuh"

__global__ void swiglu(int64_t rows, int64_t inner, const float *gateUp, float limit, float *h) {
    int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= rows * inner) {
        return;
    }
    const float *both = gateUp + at / inner * 2 * inner + at % inner;
    float gate = both[0];
    float up = both[inner];
    gate = gate > limit ? limit : gate;
    up = up > limit ? limit : up < -limit ? -limit : up;
    h[at] = gate / (1.0f + expf(-gate)) * up;
}
