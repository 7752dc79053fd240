// out[i] = x[rows[i]], rows of 2-byte units; one block a row.
#include "common.cuh"

__global__ void gatherRows(
        Launch launch, int64_t sourceRows, int64_t width, const uint16_t *x, const int32_t *rows, uint16_t *out) {
    int64_t i = blockIdx.x;
    int64_t from = rows[i];
    if (from < 0 || from >= sourceRows) {
        report(launch, ROW, i, from, sourceRows - 1);
        return;
    }
    for (int64_t j = threadIdx.x; j < width; j += blockDim.x) {
        out[i * width + j] = x[from * width + j];
    }
}
