// Key/value rows of the window: RMS norm, rotation of the last R dims, transform, rounding. One block a row; shared memory:
// d floats.
#include "formats.cuh"

template <typename T>
__global__ void windowKeys(
        int64_t width, int64_t rotated, const float *x, const float *weight, float eps, const float *table,
        int64_t transform, T *out) {
    PL_DYNAMIC_SHARED(float, key);
    __shared__ double scratch[WARP];
    int64_t t = blockIdx.x;
    x += t * width;
    out += t * width;
    double squares = 0.0;
    for (int64_t i = threadIdx.x; i < width; i += blockDim.x) {
        squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    }
    float factor = inverseRoot(blockSum(squares, scratch), width, eps);
    for (int64_t i = threadIdx.x; i < width; i += blockDim.x) {
        key[i] = x[i] * factor * weight[i];
    }
    __syncthreads();
    float *turned = key + width - rotated;
    for (int64_t i = threadIdx.x; i < rotated / 2; i += blockDim.x) {
        const float *turn = table + t * rotated + 2 * i;
        float a = turned[2 * i];
        float b = turned[2 * i + 1];
        turned[2 * i] = a * turn[0] - b * turn[1];
        turned[2 * i + 1] = b * turn[0] + a * turn[1];
    }
    __syncthreads();
    transformRow(transform, key, width, rotated);
    for (int64_t i = threadIdx.x; i < width; i += blockDim.x) {
        out[i] = narrow<T>(key[i]);
    }
}
