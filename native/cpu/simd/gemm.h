// Products of packed rows with a packed weight, shared by the linears and the experts.
#pragma once

#include "tile.h"

#if defined(PL_EMULATE_TILES)
#define __AMX_BF16__ 1
#include "../../check/tile_emulation.h"
#endif

namespace pl {
namespace PL_ISA {

#if defined(__AMX_BF16__)
constexpr int AMX_ROWS = 16;

// bf16 on AMX tiles. A left tile always has 16 rows, zeros where there are none, so that one tile configuration serves
// every number of rows; a tile product adds its 32 k's in one fixed order.
struct Amx {
    using Left = uint32_t;
    using Right = uint32_t;
    static constexpr int PER_STEP = 2;
    static constexpr int LEFT_PER_STEP = 1;
};

struct alignas(64) TileConfig {
    uint8_t palette = 1;
    uint8_t startRow = 0;
    uint8_t reserved[14] = {};
    uint16_t bytesPerRow[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64, "the layout is the instruction's");

constexpr TileConfig TILES = {};

// The intrinsic of GCC 12 tells the compiler of 8 of the 64 bytes that the instruction reads (GCC PR 114098).
PL_INLINE void configureTiles() {
#if defined(PL_EMULATE_TILES)
    emulateConfig(&TILES);
#else
    __asm__ volatile("ldtilecfg %0" : : "m"(TILES) : "memory");
#endif
}

PL_INLINE void packLeftRow(Amx, const float *x, int64_t width, int64_t m, uint32_t *out) {
    packLeftRow(Bf16(), x, width, m, out);
}

using Bf16Gemm = Amx;
#else
using Bf16Gemm = Bf16;
#endif

template <class Op>
struct Shape {
    static constexpr int TILE_ROWS = ROWS;
    static constexpr bool PADDED = false;
};

#if defined(__AMX_BF16__)
template <>
struct Shape<Amx> {
    static constexpr int TILE_ROWS = AMX_ROWS;
    static constexpr bool PADDED = true;
};
#endif

// Elements of a left operand of that many rows.
template <class Op>
PL_INLINE int64_t leftSize(int64_t rows, int64_t depth) {
    int64_t padded = Shape<Op>::PADDED ? roundUp(rows, Shape<Op>::TILE_ROWS) : rows;
    return padded * depth * Op::LEFT_PER_STEP;
}

// Packs rows [from, to) of x (row i at x + index(i) * stride) into a left operand of `rows` rows: tiles of TILE_ROWS
// rows one after another, the last one with what is left (or with zero rows).
template <class Op, class Index>
PL_INLINE void packLeft(
        const float *x, int64_t stride, int64_t width, int64_t rows, int64_t from, int64_t to, Index index,
        typename Op::Left *out) {
    constexpr int TILE = Shape<Op>::TILE_ROWS;
    int64_t rowSize = depthOf<Op>(width) * Op::LEFT_PER_STEP;
    for (int64_t i = from; i < to; i++) {
        int64_t first = i / TILE * TILE;
        int64_t m = Shape<Op>::PADDED ? TILE : least<int64_t>(TILE, rows - first);
        packLeftRow(Op(), x + index(i) * stride, width, m, out + first * rowSize + (i - first) * leftBlock<Op>());
    }
    if (Shape<Op>::PADDED && to == rows) {
        int64_t first = rows / TILE * TILE;
        for (int64_t i = rows; i % TILE != 0; i++) {
            for (int64_t block = 0; block < rowSize; block += leftBlock<Op>()) {
                __builtin_memset(
                        out + first * rowSize + block * TILE + (i - first) * leftBlock<Op>(), 0,
                        leftBlock<Op>() * sizeof(typename Op::Left));
            }
        }
    }
}

template <class Op>
PL_INLINE const typename Op::Right *panelOf(const pl_weight &weight, int64_t panel) {
    return static_cast<const typename Op::Right *>(weight.data) + panel * weight.panel;
}

template <int M>
PL_INLINE void storeTile(vf (&acc)[M][2], float *y, int64_t yStride, int64_t columns) {
    PL_UNROLL
    for (int m = 0; m < M; m++) {
        if (columns >= NR) {
            store(y + m * yStride, acc[m][0]);
            store(y + m * yStride + W, acc[m][1]);
        } else {
            storePart(y + m * yStride, acc[m][0], columns);
            if (columns > W) {
                storePart(y + m * yStride + W, acc[m][1], columns - W);
            }
        }
    }
}

// P panels from `panel` on for one tile of M rows.
template <class Op, int M, int P>
PL_INLINE void gemmTile(
        const typename Op::Left *left, const pl_weight &weight, int64_t panel, float *y, int64_t yStride) {
    vf acc[P][M][2] = {};
    tilePanels<Op, M, P>(left, panelOf<Op>(weight, panel), weight.panel, weight.depth, acc);
    PL_UNROLL
    for (int p = 0; p < P; p++) {
        int64_t column = (panel + p) * NR;
        storeTile<M>(acc[p], y + column, yStride, weight.outputs - column);
    }
}

// Panels [from, to) for one tile of M rows, several at once where M alone would not fill the pipeline.
template <class Op, int M>
static void gemmRows(
        const typename Op::Left *left, const pl_weight &weight, int64_t from, int64_t to, float *y, int64_t yStride) {
    constexpr int P = M == 1 ? 4 : M <= 3 ? 2 : 1;
    int64_t panel = from;
    for (; panel + P <= to; panel += P) {
        gemmTile<Op, M, P>(left, weight, panel, y, yStride);
    }
    for (; panel < to; panel++) {
        gemmTile<Op, M, 1>(left, weight, panel, y, yStride);
    }
}

// y[0..rows, panels from..to) = left * weight.
template <class Op>
__attribute__((noinline)) static void gemm(
        const typename Op::Left *left, int64_t rows, const pl_weight &weight, int64_t from, int64_t to, float *y,
        int64_t yStride) {
    int64_t rowSize = weight.depth * Op::LEFT_PER_STEP;
    if (rows < ROWS) {
        withConstant<ROWS>(rows, [&](auto m) {
            gemmRows<Op, decltype(m)::value>(left, weight, from, to, y, yStride);
        });
        return;
    }
    // A panel stays in the nearest cache while all tiles of rows pass by.
    for (int64_t panel = from; panel < to; panel++) {
        for (int64_t row = 0; row < rows; row += ROWS) {
            withConstant<ROWS>(least<int64_t>(ROWS, rows - row), [&](auto m) {
                gemmRows<Op, decltype(m)::value>(
                        left + row * rowSize, weight, panel, panel + 1, y + row * yStride, yStride);
            });
        }
    }
}

#if defined(__AMX_BF16__)

// Up to two left tiles times one panel (two right tiles).
template <int R>
PL_INLINE void amxTile(
        const uint32_t *left, int64_t rows, const pl_weight &weight, int64_t panel, float *y, int64_t yStride) {
    static_assert(KB == 16 && W == 16, "a right tile is KB steps of W pairs, the second one W columns further on");
    const uint32_t *b = panelOf<Amx>(weight, panel);
    const uint32_t *second = left + AMX_ROWS * weight.depth;
    // The loads of tiles name no memory: whatever was written to the operands has to be there by now.
    __asm__ volatile("" : : : "memory");
    _tile_zero(0);
    _tile_zero(1);
    if constexpr (R == 2) {
        _tile_zero(2);
        _tile_zero(3);
    }
    for (int64_t block = 0; block < weight.depth / KB; block++) {
        _tile_loadd(4, left + block * (AMX_ROWS * KB), 64);
        _tile_loadd(6, b + block * (KB * NR), NR * 4);
        _tile_loadd(7, b + block * (KB * NR) + W, NR * 4);
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        if constexpr (R == 2) {
            _tile_loadd(5, second + block * (AMX_ROWS * KB), 64);
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
        }
    }
    alignas(64) float out[2 * AMX_ROWS * NR];
    _tile_stored(0, out, NR * 4);
    _tile_stored(1, out + W, NR * 4);
    if constexpr (R == 2) {
        _tile_stored(2, out + AMX_ROWS * NR, NR * 4);
        _tile_stored(3, out + AMX_ROWS * NR + W, NR * 4);
    }
    int64_t columns = least<int64_t>(NR, weight.outputs - panel * NR);
    for (int64_t m = 0; m < least<int64_t>(rows, R * AMX_ROWS); m++) {
        for (int64_t n = 0; n < columns; n++) {
            y[m * yStride + panel * NR + n] = out[m * NR + n];
        }
    }
}

template <>
__attribute__((noinline)) void gemm<Amx>(
        const uint32_t *left, int64_t rows, const pl_weight &weight, int64_t from, int64_t to, float *y,
        int64_t yStride) {
    configureTiles();
    for (int64_t panel = from; panel < to; panel++) {
        for (int64_t row = 0; row < rows; row += 2 * AMX_ROWS) {
            if (rows - row > AMX_ROWS) {
                amxTile<2>(left + row * weight.depth, rows - row, weight, panel, y + row * yStride, yStride);
            } else {
                amxTile<1>(left + row * weight.depth, rows - row, weight, panel, y + row * yStride, yStride);
            }
        }
    }
    _tile_release();
}

#endif

} // namespace PL_ISA
} // namespace pl
