// Collapse before the head (spec 3.10): one block a row. Dynamic shared memory: h floats.
#include "hyper.cuh"

template <typename T>
__global__ void collapse(
        int64_t streams, int64_t hidden, const float *x, const T *fn, const float *base, const float *scale,
        float hcEps, float normEps, float *collapsed) {
    PL_DYNAMIC_SHARED(float, m);
    __shared__ double scratch[WARP];
    int64_t t = blockIdx.x;
    x += t * streams * hidden;
    hyperProject(x, streams * hidden, fn, streams, normEps, m, scratch);
    for (int64_t j = threadIdx.x; j < streams; j += blockDim.x) {
        m[j] = sigmoid(m[j] * scale[0] + base[j]) + hcEps;
    }
    __syncthreads();
    hyperCollapse(m, x, streams, hidden, collapsed + t * hidden);
}
