// Hyper-connection, first half (spec 3.3): one block a row. Dynamic shared memory: (2 + h) * h floats.
#include "hyper.cuh"

// Divides each of h lines, `line` apart, by the sum of its elements, `step` apart, plus eps.
__device__ inline void normalise(float *c, int64_t h, int64_t line, int64_t step, float eps) {
    for (int64_t a = threadIdx.x; a < h; a += blockDim.x) {
        float sum = 0.0f;
        for (int64_t b = 0; b < h; b++) {
            sum += c[a * line + b * step];
        }
        for (int64_t b = 0; b < h; b++) {
            c[a * line + b * step] /= sum + eps;
        }
    }
    __syncthreads();
}

template <typename T>
__global__ void mix(
        int64_t streams, int64_t hidden, const float *x, const T *fn, const float *base, const float *scale,
        int64_t iterations, float hcEps, float normEps, float *post, float *comb, float *collapsed) {
    PL_DYNAMIC_SHARED(float, m);
    __shared__ double scratch[WARP];
    int64_t t = blockIdx.x;
    int64_t h = streams;
    x += t * h * hidden;
    hyperProject(x, h * hidden, fn, (2 + h) * h, normEps, m, scratch);
    for (int64_t j = threadIdx.x; j < h; j += blockDim.x) {
        m[j] = sigmoid(m[j] * scale[0] + base[j]) + hcEps;
        post[t * h + j] = 2.0f * sigmoid(m[h + j] * scale[1] + base[h + j]);
    }
    // Softmax of each row + eps, then columns, then (iterations - 1) times rows and columns.
    float *c = m + 2 * h;
    for (int64_t j = threadIdx.x; j < h; j += blockDim.x) {
        float *row = c + j * h;
        float highest = -infinity();
        for (int64_t k = 0; k < h; k++) {
            row[k] = row[k] * scale[2] + base[(2 + j) * h + k];
            highest = fmaxf(highest, row[k]);
        }
        float sum = 0.0f;
        for (int64_t k = 0; k < h; k++) {
            row[k] = expf(row[k] - highest);
            sum += row[k];
        }
        for (int64_t k = 0; k < h; k++) {
            row[k] = row[k] / sum + hcEps;
        }
    }
    __syncthreads();
    normalise(c, h, 1, h, hcEps);
    for (int64_t i = 1; i < iterations; i++) {
        normalise(c, h, h, 1, hcEps);
        normalise(c, h, 1, h, hcEps);
    }
    for (int64_t i = threadIdx.x; i < h * h; i += blockDim.x) {
        comb[t * h * h + i] = c[i];
    }
    hyperCollapse(m, x, h, hidden, collapsed + t * hidden);
}
