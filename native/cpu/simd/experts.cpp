// Routed experts: rows are sorted by expert, each expert multiplies its rows, results are added per row in order of
// choice.
#include "activation.h"
#include "gemm.h"
#include "rows.h"
#include "table.h"

namespace pl {
namespace PL_ISA {

namespace {

constexpr int64_t BLOCK_ROWS = 48; // rows of one expert that one thread takes at a time

struct ExpertBlock {
    int64_t expert, first, rows; // rows of the sorted list
};

// Sorts (row, choice) pairs by expert, stably: order[i] is the pair at sorted place i, place[pair] its inverse.
int64_t sortByExpert(const ExpertArgs &args, int64_t *order, int64_t *place, int64_t *start) {
    for (int64_t e = 0; e <= args.experts; e++) {
        start[e] = 0;
    }
    for (int64_t t = 0; t < args.rows; t++) {
        for (int64_t i = 0; args.sequenceOf[t] >= 0 && i < args.chosen; i++) {
            start[args.ids[t * args.chosen + i] + 1]++;
        }
    }
    for (int64_t e = 0; e < args.experts; e++) {
        start[e + 1] += start[e];
    }
    for (int64_t t = 0; t < args.rows; t++) {
        for (int64_t i = 0; args.sequenceOf[t] >= 0 && i < args.chosen; i++) {
            int64_t pair = t * args.chosen + i;
            int64_t at = start[args.ids[pair]]++;
            order[at] = pair;
            place[pair] = at;
        }
    }
    for (int64_t e = args.experts; e > 0; e--) {
        start[e] = start[e - 1];
    }
    start[0] = 0;
    return start[args.experts];
}

// out[sorted place] = down(swiglu(gateUp(x[row]))) for one block.
template <class UpOp, class DownOp>
void runBlock(
        const ExpertArgs &args, const ExpertBlock &block, const int64_t *order, Scratch &scratch, float *out) {
    const pl_weight &up = *args.gateUp[block.expert];
    const pl_weight &down = *args.down[block.expert];
    int64_t inner = down.inputs;
    int64_t mark = scratch.mark();
    auto *x = scratch.take<typename UpOp::Left>(leftSize<UpOp>(block.rows, up.depth));
    float *gateUp = scratch.take<float>(block.rows * 2 * inner);
    float *h = scratch.take<float>(block.rows * inner);
    auto *packed = scratch.take<typename DownOp::Left>(leftSize<DownOp>(block.rows, down.depth));
    packLeft<UpOp>(
            args.x, args.hidden, args.hidden, block.rows, 0, block.rows,
            [&](int64_t i) { return order[block.first + i] / args.chosen; }, x);
    gemm<UpOp>(x, block.rows, up, 0, up.panels, gateUp, 2 * inner);
    for (int64_t i = 0; i < block.rows; i++) {
        swigluRow(gateUp + i * 2 * inner, inner, args.limit, h + i * inner);
    }
    packLeft<DownOp>(h, inner, inner, block.rows, 0, block.rows, [](int64_t i) { return i; }, packed);
    gemm<DownOp>(packed, block.rows, down, 0, down.panels, out + block.first * args.hidden, args.hidden);
    scratch.release(mark);
}

// y[t] += sum of weight * result in order of choice, starting from y; or, with a scaling of its own, from 0.
void addResults(const ExpertArgs &args, int64_t t, const int64_t *place, const float *results) {
    float *y = args.y + t * args.hidden;
    for (int64_t j = 0; j < args.hidden; j += W) {
        int64_t n = args.hidden - j;
        vf before = loadPart(y + j, n);
        vf sum = args.scaling == nullptr ? before : vf{};
        for (int64_t i = 0; i < args.chosen; i++) {
            sum = fma(splat(args.weights[t * args.chosen + i]), loadPart(results + place[i] * args.hidden + j, n), sum);
        }
        storePart(y + j, args.scaling == nullptr ? sum : before + splat(*args.scaling) * sum, n);
    }
}

} // namespace

void experts(Context &context, const ExpertArgs &args) {
    int64_t pairs = args.rows * args.chosen;
    int64_t *order = context.scratch.take<int64_t>(pairs);
    int64_t *place = context.scratch.take<int64_t>(pairs);
    int64_t *start = context.scratch.take<int64_t>(args.experts + 1);
    int64_t sorted = sortByExpert(args, order, place, start);
    float *out = context.scratch.take<float>(sorted * args.hidden);
    auto *blocks = context.scratch.take<ExpertBlock>(args.experts + ceilDiv(sorted, BLOCK_ROWS));
    int64_t count = 0;
    for (int64_t e = 0; e < args.experts; e++) {
        for (int64_t first = start[e]; first < start[e + 1]; first += BLOCK_ROWS) {
            blocks[count++] = {e, first, least(BLOCK_ROWS, start[e + 1] - first)};
        }
    }
    auto run = [&](int64_t chunk, int thread) {
        const ExpertBlock &block = blocks[chunk];
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        bool upFp32 = args.gateUp[block.expert]->form == PL_FP32;
        bool downFp32 = args.down[block.expert]->form == PL_FP32;
        if (upFp32 && downFp32) {
            runBlock<Fp32, Fp32>(args, block, order, scratch, out);
        } else if (upFp32) {
            runBlock<Fp32, Bf16Gemm>(args, block, order, scratch, out);
        } else if (downFp32) {
            runBlock<Bf16Gemm, Fp32>(args, block, order, scratch, out);
        } else {
            runBlock<Bf16Gemm, Bf16Gemm>(args, block, order, scratch, out);
        }
    };
    parallel(context, count, run);

    forRows(context, args.rows, args.hidden * (args.chosen + 1), [&](int64_t from, int64_t to, int) {
        for (int64_t t = from; t < to; t++) {
            if (args.sequenceOf[t] >= 0) {
                addResults(args, t, place + t * args.chosen, out);
            }
        }
    });
}

} // namespace PL_ISA
} // namespace pl
