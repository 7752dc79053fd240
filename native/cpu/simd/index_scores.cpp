// Lightning-indexer scores (spec 3.7): heads are the rows of the tile, keys its columns; the weighted ReLU sum over
// heads happens before anything leaves the registers.
#include "index_keys.h"
#include "table.h"

namespace pl {
namespace PL_ISA {

namespace {

constexpr int64_t PAGE_QUERIES = 64; // queries that share one packing of a page
constexpr int64_t PAGE = PL_PAGE_ENTRIES;
constexpr int PANELS = PAGE / NR;

// Queries [from, to) of one sequence, as rows of the step.
struct QueryTile {
    int64_t sequence, from, to;
    int64_t entries; // the most that one of them sees
};

// Packed queries and their weights.
template <class Op>
struct Queries {
    const typename Op::Left *q; // [rows][heads in tiles][depth]
    const float *weights;       // [rows][heads]
    float headFactor, dimFactor;
};

// Where a page of a sequence lies.
struct Source {
    const Pages &pages;
    const int32_t *table; // [S, P], or null: page p of the sequence lies at p - first
    int64_t perSequence, first;

    int64_t find(int64_t sequence, int64_t page) const {
        return table == nullptr ? page - first : table[sequence * perSequence + page];
    }
};

// sum[v] += weight_h * max(0, q_h . k) for one block of M heads.
template <class Op, int M, bool ROUNDED>
PL_INLINE void scoreHeads(
        const typename Op::Left *q, const typename Op::Right *keys, int64_t depth, const float *weights,
        vf (&sum)[2]) {
    vf acc[M][2] = {};
    tile<Op, M, 2>(q, keys, NR, 0, depth, acc);
    PL_UNROLL
    for (int m = 0; m < M; m++) {
        vf weight = splat(weights[m]);
        PL_UNROLL
        for (int v = 0; v < 2; v++) {
            if constexpr (ROUNDED) {
                sum[v] += (vf)roundedBits(weight * vmax((vf)roundedBits(acc[m][v]), vf{}));
            } else {
                sum[v] = fma(weight, vmax(acc[m][v], vf{}), sum[v]);
            }
        }
    }
}

template <class Keys, bool ROUNDED>
void scorePage(
        const ScoreArgs &args, const QueryTile &tile, const Source &source, int64_t page,
        const Queries<typename Keys::Op> &queries, typename Keys::Op::Right *panels, float *scales) {
    using Op = typename Keys::Op;
    int64_t first = page * PAGE;
    int64_t visible = least(PAGE, tile.entries - first);
    if (visible <= 0) {
        return;
    }
    int64_t depth = depthOf<Op>(args.width);
    Keys::pack(source.pages, source.find(tile.sequence, page), visible, panels, scales);
    for (int64_t t = tile.from; t < tile.to; t++) {
        int64_t i = t - args.rowFrom;
        const typename Op::Left *packed = queries.q + i * args.heads * depth * Op::LEFT_PER_STEP;
        for (int64_t panel = 0; panel < PANELS && first + panel * NR < args.counts[t]; panel++) {
            vf sum[2] = {};
            int64_t heads;
            for (int64_t head = 0; head < args.heads; head += heads) {
                heads = headTile(args.heads - head);
                withHeadTile(heads, [&](auto m) {
                    scoreHeads<Op, decltype(m)::value, ROUNDED>(
                            packed + head * depth * Op::LEFT_PER_STEP, panels + panel * depth * NR, depth,
                            queries.weights + i * args.heads + head, sum);
                });
            }
            int64_t entry = first + panel * NR;
            float *out = args.scores + i * args.scoreStride + entry;
            int64_t n = args.counts[t] - entry;
            PL_UNROLL
            for (int v = 0; v < 2; v++) {
                if (Keys::SCALED) {
                    sum[v] *= load(scales + panel * NR + v * W);
                }
                if (ROUNDED) {
                    sum[v] = (vf)roundedBits(sum[v] * queries.headFactor * queries.dimFactor);
                }
                if (n > v * W) {
                    storePart(out + v * W, sum[v], n - v * W);
                }
            }
        }
    }
}

template <class Keys, bool ROUNDED>
Queries<typename Keys::Op> packQueries(Context &context, const ScoreArgs &args) {
    using Op = typename Keys::Op;
    int64_t depth = depthOf<Op>(args.width);
    int64_t size = args.heads * depth * Op::LEFT_PER_STEP;
    auto *q = context.scratch.take<typename Op::Left>(args.rows * size);
    float *weights = context.scratch.take<float>(args.rows * args.heads);
    auto headFactor = static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(args.heads)));
    auto dimFactor = static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(args.width)));
    // With rounding in between, the factors wait for the sum.
    float factor = ROUNDED ? 1.0f : headFactor * dimFactor;
    int64_t step = most<int64_t>(1, 16384 / (args.heads * args.width));
    auto pack = [&](int64_t chunk, int thread) {
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        float *rounded = scratch.take<float>(args.width);
        for (int64_t i = chunk * step; i < least(args.rows, (chunk + 1) * step); i++) {
            int64_t at = (args.rowFrom + i) * args.heads;
            int64_t m;
            for (int64_t head = 0; head < args.heads; head += m) {
                m = headTile(args.heads - head);
                typename Op::Left *block = q + i * size + head * depth * Op::LEFT_PER_STEP;
                for (int64_t j = 0; j < m; j++) {
                    float scale = Keys::round(args.q + (at + head + j) * args.width, args.width, rounded);
                    packLeftRow(Op(), rounded, args.width, m, block + j * leftBlock<Op>());
                    weights[i * args.heads + head + j] = args.headWeights[at + head + j] * scale * factor;
                }
            }
        }
        scratch.release(mark);
    };
    int64_t packs = ceilDiv(args.rows, step);
    if (packs > 1) {
        parallel(context, packs, pack);
    } else if (packs == 1) {
        pack(0, 0);
    }
    return {q, weights, headFactor, dimFactor};
}

// Scores of the tiles against their pages [firstPage, lastPage).
template <class Keys, bool ROUNDED>
void scoreTiles(
        Context &context, const ScoreArgs &args, const Queries<typename Keys::Op> &queries, const QueryTile *tiles,
        int64_t count, const Source &source, int64_t firstPage, int64_t lastPage) {
    using Op = typename Keys::Op;
    int64_t mark = context.scratch.mark();
    auto pagesIn = [&](int64_t i) {
        return most<int64_t>(0, least(lastPage, ceilDiv(tiles[i].entries, PAGE)) - firstPage);
    };
    int64_t pages = 0;
    for (int64_t i = 0; i < count; i++) {
        pages += pagesIn(i);
    }
    // Runs of pages small enough to balance the threads, long enough to be worth claiming.
    int64_t run = most<int64_t>(1, least<int64_t>(16, pages / (4 * context.pool.threads())));
    auto *chunks = context.scratch.take<int64_t>(count + 1);
    chunks[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        chunks[i + 1] = chunks[i] + ceilDiv(pagesIn(i), run);
    }
    auto score = [&](int64_t chunk, int thread) {
        int64_t i = 0;
        while (chunks[i + 1] <= chunk) {
            i++;
        }
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t own = scratch.mark();
        auto *panels = scratch.take<typename Op::Right>(PANELS * depthOf<Op>(args.width) * NR);
        float *scales = scratch.take<float>(PAGE * most<int64_t>(1, args.keys.scales));
        int64_t first = firstPage + (chunk - chunks[i]) * run;
        int64_t end = firstPage + pagesIn(i);
        for (int64_t page = first; page < least(end, first + run); page++) {
            scorePage<Keys, ROUNDED>(args, tiles[i], source, page, queries, panels, scales);
        }
        scratch.release(own);
    };
    parallel(context, chunks[count], score);
    context.scratch.release(mark);
}

// Copies pages [from, to) of a sequence one after another.
void gatherPages(Context &context, const ScoreArgs &args, int64_t sequence, int64_t from, int64_t to) {
    const int32_t *table = args.pages + sequence * args.pagesPerSequence;
    auto copy = [&](int64_t i, int) {
        __builtin_memcpy(
                args.gathered.page(i), args.keys.page(table[from + i]), static_cast<size_t>(args.keys.bytes));
    };
    parallel(context, to - from, copy);
}

template <class Keys, bool ROUNDED>
void scoresAs(Context &context, const ScoreArgs &args) {
    Queries<typename Keys::Op> queries = packQueries<Keys, ROUNDED>(context, args);
    const pl_batch &batch = args.batch;
    auto *tiles = context.scratch.take<QueryTile>(ceilDiv(args.rows, PAGE_QUERIES) + batch.sequences);
    int64_t count = 0;
    for (int64_t s = 0; s < batch.sequences; s++) {
        int64_t from = most<int64_t>(batch.first_row[s], args.rowFrom);
        int64_t to = least<int64_t>(batch.first_row[s + 1], args.rowFrom + args.rows);
        for (int64_t t = from; t < to; t += PAGE_QUERIES) {
            QueryTile queryTile = {s, t, least(to, t + PAGE_QUERIES), 0};
            for (int64_t row = t; row < queryTile.to; row++) {
                queryTile.entries = most<int64_t>(queryTile.entries, args.counts[row]);
            }
            tiles[count++] = queryTile;
        }
    }
    if (args.gathered.count == 0) {
        Source where = {args.keys, args.pages, args.pagesPerSequence, 0};
        scoreTiles<Keys, ROUNDED>(context, args, queries, tiles, count, where, 0, args.pagesPerSequence);
        return;
    }
    int64_t end;
    for (int64_t i = 0; i < count; i = end) {
        int64_t entries = 0;
        for (end = i; end < count && tiles[end].sequence == tiles[i].sequence; end++) {
            entries = most(entries, tiles[end].entries);
        }
        int64_t pages = ceilDiv(entries, PAGE);
        for (int64_t from = 0; from < pages; from += args.gathered.count) {
            int64_t to = least(pages, from + args.gathered.count);
            gatherPages(context, args, tiles[i].sequence, from, to);
            Source where = {args.gathered, nullptr, 0, from};
            scoreTiles<Keys, ROUNDED>(context, args, queries, tiles + i, end - i, where, from, to);
        }
    }
}

template <class Keys>
void scoresOf(Context &context, const ScoreArgs &args) {
    if (args.bf16Scores) {
        scoresAs<Keys, true>(context, args);
    } else {
        scoresAs<Keys, false>(context, args);
    }
}

} // namespace

void indexScores(Context &context, const ScoreArgs &args) {
    switch (args.keys.layout) {
        case PL_PAGE_FP32:
            scoresOf<PlainKeys<Fp32, float>>(context, args);
            break;
        case PL_PAGE_BF16:
            scoresOf<PlainKeys<Bf16, uint16_t>>(context, args);
            break;
        case PL_PAGE_INDEX_FP8:
            scoresOf<Fp8Keys>(context, args);
            break;
        default:
            scoresOf<Fp4Keys>(context, args);
    }
}

} // namespace PL_ISA
} // namespace pl
