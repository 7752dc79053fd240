// Lightning-indexer scores (spec 3.7): heads are the rows of the tile, keys its columns; the weighted ReLU sum over
// heads happens before anything leaves the registers.
#include "transpose.h"
#include "table.h"

namespace pl {
namespace PL_ISA {

namespace {

constexpr int64_t PAGE_QUERIES = 64; // queries that share one packing of a page
constexpr int64_t PAGE = PL_PAGE_ENTRIES;
constexpr int PANELS = PAGE / NR;

template <class Op>
struct KeyOf {
    using Type = float;
};
template <>
struct KeyOf<Bf16> {
    using Type = uint16_t;
};

// Queries [from, to) of one sequence, as rows of the step.
struct QueryTile {
    int64_t sequence, from, to, pages;
};

// sum[v] += weight_h * max(0, q_h . k) for one block of M heads.
template <class Op, int M>
PL_INLINE void scoreHeads(
        const typename Op::Left *q, const typename Op::Right *keys, int64_t depth, const float *weights,
        vf (&sum)[2]) {
    vf acc[M][2] = {};
    tile<Op, M, 2>(q, keys, NR, 0, depth, acc);
    PL_UNROLL
    for (int m = 0; m < M; m++) {
        vf weight = splat(weights[m]);
        sum[0] = fma(weight, vmax(acc[m][0], vf{}), sum[0]);
        sum[1] = fma(weight, vmax(acc[m][1], vf{}), sum[1]);
    }
}

template <class Op>
void scorePage(
        const ScoreArgs &args, const QueryTile &queries, int64_t page, const typename Op::Left *q,
        const float *weights, typename Op::Right *panels) {
    using Key = typename KeyOf<Op>::Type;
    int64_t first = page * PAGE;
    int64_t most = 0;
    for (int64_t t = queries.from; t < queries.to; t++) {
        most = PL_ISA::most<int64_t>(most, args.counts[t]);
    }
    int64_t visible = least(PAGE, most - first);
    if (visible <= 0) {
        return;
    }
    int64_t d = args.width;
    int64_t depth = depthOf<Op>(d);
    int64_t id = args.pages[queries.sequence * args.pagesPerSequence + page];
    const Key *keys = static_cast<const Key *>(args.keys) + id * PAGE * d;
    packPanels<Op, Key>([&](int64_t i) { return keys + i * d; }, visible, d, panels);
    for (int64_t t = queries.from; t < queries.to; t++) {
        int64_t i = t - args.rowFrom;
        const typename Op::Left *packed = q + i * args.heads * depth * Op::LEFT_PER_STEP;
        for (int64_t panel = 0; panel < PANELS && first + panel * NR < args.counts[t]; panel++) {
            vf sum[2] = {};
            int64_t heads;
            for (int64_t head = 0; head < args.heads; head += heads) {
                heads = headTile(args.heads - head);
                withHeadTile(heads, [&](auto m) {
                    scoreHeads<Op, decltype(m)::value>(
                            packed + head * depth * Op::LEFT_PER_STEP, panels + panel * depth * NR, depth,
                            weights + i * args.heads + head, sum);
                });
            }
            int64_t entry = first + panel * NR;
            float *out = args.scores + i * args.scoreStride + entry;
            int64_t n = args.counts[t] - entry;
            storePart(out, sum[0], n);
            if (n > W) {
                storePart(out + W, sum[1], n - W);
            }
        }
    }
}

template <class Op>
void scoresAs(Context &context, const ScoreArgs &args) {
    int64_t depth = depthOf<Op>(args.width);
    int64_t size = args.heads * depth * Op::LEFT_PER_STEP;
    auto *q = context.scratch.take<typename Op::Left>(args.rows * size);
    float *weights = context.scratch.take<float>(args.rows * args.heads);
    float factor = 1.0f / __builtin_sqrtf(static_cast<float>(args.heads));
    factor *= 1.0f / __builtin_sqrtf(static_cast<float>(args.width));
    int64_t step = most<int64_t>(1, 16384 / (args.heads * args.width));
    auto pack = [&](int64_t chunk, int) {
        for (int64_t i = chunk * step; i < least(args.rows, (chunk + 1) * step); i++) {
            const float *heads = args.q + (args.rowFrom + i) * args.heads * args.width;
            int64_t m;
            for (int64_t head = 0; head < args.heads; head += m) {
                m = headTile(args.heads - head);
                typename Op::Left *block = q + i * size + head * depth * Op::LEFT_PER_STEP;
                for (int64_t j = 0; j < m; j++) {
                    packLeftRow(Op(), heads + (head + j) * args.width, args.width, m, block + j * leftBlock<Op>());
                }
            }
            for (int64_t head = 0; head < args.heads; head++) {
                weights[i * args.heads + head] = args.headWeights[(args.rowFrom + i) * args.heads + head] * factor;
            }
        }
    };
    int64_t packs = ceilDiv(args.rows, step);
    if (packs > 1) {
        parallel(context, packs, pack);
    } else if (packs == 1) {
        pack(0, 0);
    }

    const pl_batch &batch = args.batch;
    auto *tiles = context.scratch.take<QueryTile>(ceilDiv(args.rows, PAGE_QUERIES) + batch.sequences);
    int64_t count = 0;
    int64_t pages = 0;
    for (int64_t s = 0; s < batch.sequences; s++) {
        int64_t from = most<int64_t>(batch.first_row[s], args.rowFrom);
        int64_t to = least<int64_t>(batch.first_row[s + 1], args.rowFrom + args.rows);
        for (int64_t t = from; t < to; t += PAGE_QUERIES) {
            QueryTile queries = {s, t, least(to, t + PAGE_QUERIES), 0};
            for (int64_t row = t; row < queries.to; row++) {
                queries.pages = most<int64_t>(queries.pages, ceilDiv(args.counts[row], PAGE));
            }
            pages += queries.pages;
            tiles[count++] = queries;
        }
    }
    // Runs of pages small enough to balance the threads, long enough to be worth claiming.
    int64_t run = most<int64_t>(1, least<int64_t>(16, pages / (4 * context.pool.threads())));
    auto *chunks = context.scratch.take<int64_t>(count + 1);
    chunks[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        chunks[i + 1] = chunks[i] + ceilDiv(tiles[i].pages, run);
    }
    auto score = [&](int64_t chunk, int thread) {
        int64_t i = 0;
        while (chunks[i + 1] <= chunk) {
            i++;
        }
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        auto *panels = scratch.take<typename Op::Right>(PANELS * depth * NR);
        int64_t first = (chunk - chunks[i]) * run;
        for (int64_t page = first; page < least(tiles[i].pages, first + run); page++) {
            scorePage<Op>(args, tiles[i], page, q, weights, panels);
        }
        scratch.release(mark);
    };
    parallel(context, chunks[count], score);
}

} // namespace

void indexScores(Context &context, const ScoreArgs &args) {
    if (args.keyType == PL_BF16) {
        scoresAs<Bf16>(context, args);
    } else {
        scoresAs<Fp32>(context, args);
    }
}

} // namespace PL_ISA
} // namespace pl
