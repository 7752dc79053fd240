// Dense linears: y[t, n] = sum over k of x[t, k] * W[n, k].
#include "gemm.h"
#include "table.h"

namespace pl {
namespace PL_ISA {

namespace {

// Rows whose packed form and results stay in the second-level cache while the panels pass by.
constexpr int64_t BLOCK_TILES = 8;
// Multiply-adds that are worth handing to another thread.
constexpr int64_t PARALLEL_WORK = 40'000;

template <class Op>
void linearAs(Context &context, const LinearArgs &args) {
    const pl_weight &weight = *args.weight;
    int64_t rows = args.rows;
    if (rows == 0) {
        return;
    }
    auto *left = context.scratch.take<typename Op::Left>(leftSize<Op>(rows, weight.depth));
    auto same = [](int64_t i) { return i; };
    constexpr int64_t BLOCK = BLOCK_TILES * Shape<Op>::TILE_ROWS;
    int64_t blocks = ceilDiv(rows, BLOCK);
    auto pack = [&](int64_t block, int) {
        packLeft<Op>(
                args.x, args.xStride, weight.inputs, rows, block * BLOCK, least(rows, (block + 1) * BLOCK), same, left);
    };
    if (blocks < 2) {
        pack(0, 0);
    } else {
        parallel(context, blocks, pack);
    }

    // Enough chunks that threads finish together: groups of panels when there are few blocks of rows.
    int64_t work = rows * weight.panels * NR * weight.depth;
    int64_t wanted = work < PARALLEL_WORK || context.pool.threads() == 1 ? 1 : 4 * context.pool.threads();
    int64_t groups = most<int64_t>(1, least(wanted / blocks, weight.panels / 2));
    int64_t perGroup = ceilDiv(weight.panels, groups);
    perGroup = rows < 4 && perGroup > 4 ? roundUp(perGroup, 4) : perGroup;
    groups = ceilDiv(weight.panels, perGroup);
    auto multiply = [&](int64_t chunk, int) {
        int64_t first = chunk / groups * BLOCK;
        int64_t panel = chunk % groups * perGroup;
        gemm<Op>(
                left + first * weight.depth * Op::LEFT_PER_STEP, least(BLOCK, rows - first), weight, panel,
                least(weight.panels, panel + perGroup), args.y + first * args.yStride, args.yStride);
    };
    if (blocks * groups == 1) {
        multiply(0, 0);
    } else {
        parallel(context, blocks * groups, multiply);
    }
}

} // namespace

void packWeight(const pl_weight &weight, int64_t firstRow, int64_t rows, const float *source) {
    for (int64_t i = 0; i < rows; i++) {
        int64_t n = firstRow + i;
        const float *row = source + i * weight.inputs;
        if (weight.form == PL_FP32) {
            float *out = static_cast<float *>(weight.data) + n / NR * weight.panel + n % NR;
            for (int64_t k = 0; k < weight.inputs; k++) {
                out[k * NR] = row[k];
            }
        } else {
            uint16_t *out = static_cast<uint16_t *>(weight.data) + (n / NR * weight.panel + n % NR) * 2;
            for (int64_t k = 0; k < weight.inputs; k++) {
                out[k / 2 * NR * 2 + k % 2] = roundToBf16(row[k]);
            }
        }
    }
}

void linear(Context &context, const LinearArgs &args) {
    if (args.weight->form == PL_FP32) {
        linearAs<Fp32>(context, args);
    } else {
        linearAs<Bf16Gemm>(context, args);
    }
}

} // namespace PL_ISA
} // namespace pl
