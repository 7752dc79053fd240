// Linears with bf16 operands on tensor cores: x is rounded on the way in, sums are fp32. Four warps; a tile of 16 rows
// gives each warp 16 columns, a tile of 64 rows gives each 32 x 32 outputs. Both go through K in steps of 16.
#include "gemm.cuh"
#include "mma.cuh"

template <int kRows, int kMode> __global__ void linearBf16(GemmArguments a) {
    constexpr int DEPTH = 32;
    constexpr int PITCH = DEPTH + 8; // 20 words: the eight rows of a fragment lie in different banks
    constexpr int WARP_ROWS = kRows == 16 ? 1 : 2;    // in units of 16 rows
    constexpr int WARP_COLUMNS = kRows == 16 ? 2 : 4; // in units of 8 columns
    static_assert(kRows == 16 || kRows == 64, "tiles of 16 or 64 rows");
    __shared__ __align__(16) uint16_t xs[kRows][PITCH];
    __shared__ __align__(16) uint16_t ws[GEMM_COLUMNS][PITCH];
    GemmTile tile = gemmTile<kRows, kMode>(a);
    if (tile.empty) {
        return;
    }
    const uint16_t *weight = static_cast<const uint16_t *>(tile.weight);
    int thread = threadIdx.x;
    int warp = thread / WARP;
    int lane = thread % WARP;
    int g = lane / 4;
    int q = 2 * (lane % 4);
    int warpRow = kRows == 16 ? 0 : warp / 2 * 32;
    int warpColumn = kRows == 16 ? warp * 16 : warp % 2 * 32;
    float sums[WARP_ROWS][WARP_COLUMNS][4] = {};
    for (int64_t k = 0; k < a.inputs; k += DEPTH) {
        for (int i = thread; i < kRows * DEPTH; i += 128) {
            int r = i / DEPTH;
            int64_t at = k + i % DEPTH;
            float value = r < tile.rows && at < a.inputs ? gemmInput<kMode>(a, tile, r)[at] : 0.0f;
            xs[r][i % DEPTH] = bf16Bits(value);
        }
        // Rows of a matrix are padded to whole steps: eight elements at a time.
        for (int i = thread; i < GEMM_COLUMNS * DEPTH / 8; i += 128) {
            int64_t n = tile.firstColumn + i / (DEPTH / 8);
            int part = i % (DEPTH / 8) * 8;
            uint4 loaded = make_uint4(0, 0, 0, 0);
            if (n < a.outputs) {
                loaded = *reinterpret_cast<const uint4 *>(weight + n * a.stride + k + part);
            }
            *reinterpret_cast<uint4 *>(&ws[i / (DEPTH / 8)][part]) = loaded;
        }
        __syncthreads();
        for (int step = 0; step < DEPTH; step += 16) {
            uint32_t operands[WARP_ROWS][4];
            for (int r = 0; r < WARP_ROWS; r++) {
                int i = warpRow + 16 * r + g;
                operands[r][0] = *reinterpret_cast<const uint32_t *>(&xs[i][step + q]);
                operands[r][1] = *reinterpret_cast<const uint32_t *>(&xs[i + 8][step + q]);
                operands[r][2] = *reinterpret_cast<const uint32_t *>(&xs[i][step + q + 8]);
                operands[r][3] = *reinterpret_cast<const uint32_t *>(&xs[i + 8][step + q + 8]);
            }
            for (int c = 0; c < WARP_COLUMNS; c++) {
                int n = warpColumn + 8 * c + g;
                uint32_t column[2] = {
                        *reinterpret_cast<const uint32_t *>(&ws[n][step + q]),
                        *reinterpret_cast<const uint32_t *>(&ws[n][step + q + 8])};
                for (int r = 0; r < WARP_ROWS; r++) {
                    mmaBf16(sums[r][c], operands[r], column);
                }
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < WARP_ROWS; r++) {
        for (int half = 0; half < 2; half++) {
            int i = warpRow + 16 * r + g + 8 * half;
            if (i >= tile.rows) {
                continue;
            }
            float *y = gemmOutput<kMode>(a, tile, i);
            for (int c = 0; c < WARP_COLUMNS; c++) {
                int64_t n = tile.firstColumn + warpColumn + 8 * c + q;
                if (n < a.outputs) {
                    y[n] = sums[r][c][2 * half];
                }
                if (n + 1 < a.outputs) {
                    y[n + 1] = sums[r][c][2 * half + 1];
                }
            }
        }
    }
}
