// Transforms rows in place, such as rotated index queries: one block a row. Dynamic shared memory: d floats.
#include "formats.cuh"

__global__ void transform(int64_t d, int64_t kind, float *x /* [rows, d] */) {
    PL_DYNAMIC_SHARED(float, row);
    x += static_cast<int64_t>(blockIdx.x) * d;
    for (int64_t i = threadIdx.x; i < d; i += blockDim.x) {
        row[i] = x[i];
    }
    __syncthreads();
    transformRow(kind, row, d, 0);
    for (int64_t i = threadIdx.x; i < d; i += blockDim.x) {
        x[i] = row[i];
    }
}
