// What the linears share: which rows and which matrix a block works on.
//
// A tile of kRows x 64 outputs is computed by one block. Every output is one chain of multiply-adds over K from the
// first input to the last, whatever kRows is: a row has the same bits in a tile of 16 and in one of 64.
#pragma once
#include "common.cuh"

enum GemmMode {
    PLAIN,       // y[t, :] = W x[t, :]
    GROUPED,     // group z maps x[t, z*K..] to y[t, z*N..] by table[z]
    EXPERTS_IN,  // row i of expert e: x[places[i] / chosen, :] to y[i, :] by table[e]
    EXPERTS_OUT  // row i of expert e: x[i, :] to y[places[i], :] by table[e]
};

constexpr int GEMM_COLUMNS = 64;

// A matrix [outputs, inputs] has rows of `stride` elements, zero beyond its inputs.
struct GemmArguments {
    const float *x;
    int64_t xStride;
    float *y;
    int64_t yStride;
    int64_t rows;
    int64_t outputs;
    int64_t inputs;
    int64_t stride;
    const void *weight;        // PLAIN
    const void *const *table;  // otherwise: matrices by group or expert
    const int32_t *places;     // EXPERTS: [rows] place of each row in the order of the step
    const int32_t *tiles;      // EXPERTS: [gridDim.y, 3] expert, first row, rows; expert -1: nothing to do
    int64_t chosen;            // EXPERTS: experts a row
};

// The part of a block.
struct GemmTile {
    const void *weight;
    const float *x;
    float *y;
    int64_t firstRow;
    int64_t rows;
    int64_t firstColumn;
    bool empty;
};

template <int kRows, int kMode> __device__ inline GemmTile gemmTile(const GemmArguments &a) {
    GemmTile tile;
    tile.firstColumn = static_cast<int64_t>(blockIdx.x) * GEMM_COLUMNS;
    tile.x = a.x;
    tile.y = a.y;
    tile.empty = false;
    if (kMode == PLAIN || kMode == GROUPED) {
        tile.firstRow = static_cast<int64_t>(blockIdx.y) * kRows;
        tile.rows = a.rows - tile.firstRow < kRows ? a.rows - tile.firstRow : kRows;
        tile.weight = a.weight;
        if (kMode == GROUPED) {
            tile.weight = a.table[blockIdx.z];
            tile.x += blockIdx.z * a.inputs;
            tile.y += blockIdx.z * a.outputs;
        }
    } else {
        int expert = a.tiles[3 * blockIdx.y];
        tile.empty = expert < 0;
        tile.firstRow = a.tiles[3 * blockIdx.y + 1];
        tile.rows = a.tiles[3 * blockIdx.y + 2];
        tile.weight = tile.empty ? nullptr : a.table[expert];
    }
    return tile;
}

// Row i of the tile in x; i below tile.rows.
template <int kMode> __device__ inline const float *gemmInput(const GemmArguments &a, const GemmTile &tile, int i) {
    int64_t row = tile.firstRow + i;
    if (kMode == EXPERTS_IN) {
        row = a.places[row] / a.chosen;
    }
    return tile.x + row * a.xStride;
}

template <int kMode> __device__ inline float *gemmOutput(const GemmArguments &a, const GemmTile &tile, int i) {
    int64_t row = tile.firstRow + i;
    if (kMode == EXPERTS_OUT) {
        row = a.places[row];
    }
    return tile.y + row * a.yStride;
}
