// Projection of a row's residual streams onto the coefficients of a hyper-connection (spec 3.3 and 3.10).
#pragma once
#include "common.cuh"

// m[n] = norm(x) . fn[n] for n below outputs; x [width]; with bf16 coefficients x is rounded too, but for its norm. All threads of a block call it; m is shared memory.
template <typename T>
__device__ inline void hyperProject(
        const float *x, int64_t width, const T *fn, int64_t outputs, float eps, float *m, double *scratch) {
    double squares = 0.0;
    for (int64_t i = threadIdx.x; i < width; i += blockDim.x) {
        squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    }
    float root = inverseRoot(blockSum(squares, scratch), width, eps);
    int lane = threadIdx.x % WARP;
    for (int64_t n = threadIdx.x / WARP; n < outputs; n += blockDim.x / WARP) {
        const T *row = fn + n * width;
        float sum = 0.0f;
        for (int64_t i = lane; i < width; i += WARP) {
            sum = fmaf(widen(narrow<T>(x[i])), widen(row[i]), sum);
        }
        sum = warpSum(sum);
        if (lane == 0) {
            m[n] = sum * root;
        }
    }
    __syncthreads();
}

// collapsed[i] = sum over j of weights[j] * x[j, i].
__device__ inline void hyperCollapse(
        const float *weights, const float *x, int64_t streams, int64_t hidden, float *collapsed) {
    for (int64_t i = threadIdx.x; i < hidden; i += blockDim.x) {
        float sum = 0.0f;
        for (int64_t j = 0; j < streams; j++) {
            sum = fmaf(weights[j], x[j * hidden + i], sum);
        }
        collapsed[i] = sum;
    }
}
