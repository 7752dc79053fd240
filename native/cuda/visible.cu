// counts[t] = (position + 1) / ratio, 0 for padding.
#include "common.cuh"

__global__ void visible(Launch launch, Batch batch, int64_t ratio, int32_t *counts) {
    int64_t t = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (t >= batch.rows) {
        return;
    }
    StepRow row;
    counts[t] = readRow(launch, batch, t, row) ? static_cast<int32_t>((row.position + 1LL) / ratio) : 0;
}
