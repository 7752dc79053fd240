// Rotates the last R dims of every head in place, interleaved pairs, by the row's angle or its negative.
#include "common.cuh"

__global__ void rope(
        int64_t rows, int64_t heads, int64_t width, int64_t rotated, float *x, const float *table, int64_t inverse) {
    int64_t pairs = rotated / 2;
    int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= rows * heads * pairs) {
        return;
    }
    int64_t pair = at % pairs;
    int64_t head = at / pairs;
    const float *turn = table + head / heads * rotated + 2 * pair;
    float c = turn[0];
    float s = inverse != 0 ? -turn[1] : turn[1];
    float *value = x + head * width + width - rotated + 2 * pair;
    float a = value[0];
    float b = value[1];
    value[0] = a * c - b * s;
    value[1] = b * c + a * s;
}
