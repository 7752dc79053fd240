// y = x / sqrt(mean(x^2) + eps) * weight: kThreads threads a row, so many rows a block as fit. y may be x.
#include "common.cuh"

template <int kThreads>
__global__ void rmsNorm(int64_t rows, int64_t width, const float *x, const float *weight, float eps, float *y) {
    static_assert(kThreads % WARP == 0, "whole warps");
    __shared__ double scratch[WARP];
    int64_t row = static_cast<int64_t>(blockIdx.x) * (blockDim.x / kThreads) + threadIdx.x / kThreads;
    if (row >= rows) {
        return; // whole warps leave, and blocks of one row never do
    }
    x += row * width;
    y += row * width;
    int first = threadIdx.x % kThreads;
    double squares = 0.0;
    for (int64_t i = first; i < width; i += kThreads) {
        squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    }
    squares = kThreads == WARP ? warpSum(squares) : blockSum(squares, scratch);
    float factor = inverseRoot(squares, width, eps);
    for (int64_t i = first; i < width; i += kThreads) {
        float value = x[i] * factor;
        y[i] = weight == nullptr ? value : value * weight[i];
    }
}
