// Key/value rows of the window: RMS norm, rotation of the last R dims, rounding. One block a row; shared memory: d floats.
#include "common.cuh"

template <typename T>
__global__ void windowKeys(
        int64_t width, int64_t rotated, const float *x, const float *weight, float eps, const float *table, T *out) {
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
    int64_t plain = width - rotated;
    for (int64_t i = threadIdx.x; i < width; i += blockDim.x) {
        float value = key[i];
        if (i >= plain) {
            const float *turn = table + t * rotated + (i - plain) / 2 * 2;
            value = (i - plain) % 2 == 0 ? key[i] * turn[0] - key[i + 1] * turn[1]
                                         : key[i] * turn[0] + key[i - 1] * turn[1];
        }
        out[i] = narrow<T>(value);
    }
}
