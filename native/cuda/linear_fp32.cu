// Linears with fp32 operands: no tensor cores, so no TF32. 16 x 16 threads, each computes kRows / 16 x 4 outputs.
#include "gemm.cuh"

template <int kRows, int kMode> __global__ void linearFp32(GemmArguments a) {
    constexpr int DEPTH = 16;
    constexpr int OWN_ROWS = kRows / 16;
    constexpr int OWN_COLUMNS = GEMM_COLUMNS / 16;
    __shared__ float xs[DEPTH][kRows + 1];
    __shared__ float ws[DEPTH][GEMM_COLUMNS + 1];
    GemmTile tile = gemmTile<kRows, kMode>(a);
    if (tile.empty) {
        return;
    }
    const float *weight = static_cast<const float *>(tile.weight);
    int thread = threadIdx.x;
    int row = thread / 16;
    int column = thread % 16;
    float sums[OWN_ROWS][OWN_COLUMNS] = {};
    for (int64_t k = 0; k < a.inputs; k += DEPTH) {
        for (int i = thread; i < kRows * DEPTH; i += 256) {
            int r = i / DEPTH;
            int64_t at = k + i % DEPTH;
            xs[i % DEPTH][r] = r < tile.rows && at < a.inputs ? gemmInput<kMode>(a, tile, r)[at] : 0.0f;
        }
        for (int i = thread; i < GEMM_COLUMNS * DEPTH; i += 256) {
            int64_t n = tile.firstColumn + i / DEPTH;
            ws[i % DEPTH][i / DEPTH] = n < a.outputs ? weight[n * a.stride + k + i % DEPTH] : 0.0f;
        }
        __syncthreads();
        for (int j = 0; j < DEPTH; j++) {
            for (int r = 0; r < OWN_ROWS; r++) {
                for (int c = 0; c < OWN_COLUMNS; c++) {
                    sums[r][c] = fmaf(xs[j][row + 16 * r], ws[j][column + 16 * c], sums[r][c]);
                }
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < OWN_ROWS; r++) {
        int i = row + 16 * r;
        if (i >= tile.rows) {
            continue;
        }
        float *y = gemmOutput<kMode>(a, tile, i);
        for (int c = 0; c < OWN_COLUMNS; c++) {
            int64_t n = tile.firstColumn + column + 16 * c;
            if (n < a.outputs) {
                y[n] = sums[r][c];
            }
        }
    }
}
