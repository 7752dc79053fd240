// table[t, 2i] = cos(position * frequency), table[t, 2i + 1] = sin(...); the angle is a product of floats.
#include "common.cuh"

__global__ void angles(Batch batch, int64_t pairs, const float *frequencies, float *table) {
    int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= batch.rows * pairs) {
        return;
    }
    float angle = static_cast<float>(batch.positions[at / pairs]) * frequencies[at % pairs];
    table[2 * at] = static_cast<float>(cos(static_cast<double>(angle)));
    table[2 * at + 1] = static_cast<float>(sin(static_cast<double>(angle)));
}
