// Attention over window, entries and sink with one softmax (spec 3.4 steps 5-7).
//
// A work item is a run of queries of one sequence. It converts the keys that its queries share to fp32 once: rows (for
// probabilities times values) and column panels (for scores). Then each query multiplies all its heads with its own
// range of keys. Every sum of a query depends only on its own keys: products add key by key in order, and the lane that
// a key's exponential is added to follows from its absolute position (window) or its place among the entries.
#include "attention_items.h"
#include "transpose.h"

namespace pl {
namespace PL_ISA {

namespace {

constexpr int64_t ITEM_QUERIES = 32; // queries of a work item

// fp32 keys of one kind.
struct Keys {
    const float *rows;   // [n, stride]
    const float *panels; // [ceil(n / NR)][depth][NR]
    int64_t stride;      // width rounded up to NR
    int64_t depth;       // width rounded up to KB
};

// Keys [from, to) that a query sees, and room for its scores: [ceil(n / KB)][M][KB].
struct Part {
    const Keys *keys;
    int64_t from, to;
    float *scores;
};

template <class Copy>
PL_INLINE Keys gather(Scratch &scratch, int64_t n, int64_t width, Copy copy) {
    Keys keys;
    keys.stride = roundUp(width, NR);
    keys.depth = roundUp(width, KB);
    float *rows = scratch.take<float>(n * keys.stride);
    float *panels = scratch.take<float>(roundUp(n, NR) * keys.depth);
    for (int64_t i = 0; i < n; i++) {
        copy(i, rows + i * keys.stride, keys.stride);
    }
    packPanels<Fp32, float>([&](int64_t i) { return rows + i * keys.stride; }, n, width, panels);
    keys.rows = rows;
    keys.panels = panels;
    return keys;
}

// Scores of M heads against the panels that hold the part's keys.
template <int M>
PL_INLINE void scores(const float *q, const Part &part) {
    for (int64_t panel = part.from / NR; panel * NR < part.to; panel++) {
        vf acc[M][2] = {};
        tile<Fp32, M, 2>(q, part.keys->panels + panel * part.keys->depth * NR, NR, 0, part.keys->depth, acc);
        PL_UNROLL
        for (int m = 0; m < M; m++) {
            PL_UNROLL
            for (int v = 0; v < 2; v++) {
                int64_t key = panel * NR + v * W;
                store(part.scores + (key / KB * M + m) * KB + key % KB, acc[m][v]);
            }
        }
    }
}

// Lanes of the vector at `key` that lie in [from, to).
PL_INLINE vi inside(int64_t key, int64_t from, int64_t to) {
    vi lane = laneIndex();
    return (lane >= static_cast<int32_t>(most<int64_t>(from - key, 0))) &
           (lane < static_cast<int32_t>(least<int64_t>(to - key, W)));
}

template <int M>
PL_INLINE float *scoreAt(const Part &part, int64_t key, int64_t m) {
    return part.scores + (key / KB * M + m) * KB + key % KB;
}

template <int M>
PL_INLINE vf greatest(const Part &part, int64_t m, vf top) {
    for (int64_t key = part.from / W * W; key < part.to; key += W) {
        vf s = load(scoreAt<M>(part, key, m));
        top = vmax(inside(key, part.from, part.to) ? s : splat(-__builtin_inff()), top);
    }
    return top;
}

// Replaces scores by exponentials (0 outside the range) and adds them up by lanes.
template <int M>
PL_INLINE vf exponentials(const Part &part, int64_t m, float scale, float top, vf sum) {
    for (int64_t key = part.from / W * W; key < part.to; key += W) {
        float *at = scoreAt<M>(part, key, m);
        vf e = vexp(fma(load(at), splat(scale), splat(-top)));
        e = inside(key, part.from, part.to) ? e : vf{};
        store(at, e);
        sum += e;
    }
    return sum;
}

// M heads of one query. q is packed [depth / KB][M][KB].
template <int M>
void attendHeads(
        const float *q, const Part (&parts)[2], const float *sinks, float scale, int64_t width, float *out,
        float *logSumExp) {
    scores<M>(q, parts[0]);
    scores<M>(q, parts[1]);
    float reciprocal[M];
    for (int m = 0; m < M; m++) {
        vf greatestLane = greatest<M>(parts[0], m, splat(-__builtin_inff()));
        greatestLane = greatest<M>(parts[1], m, greatestLane);
        float top = most(maxLanes(greatestLane) * scale, sinks[m]);
        vf sum = exponentials<M>(parts[0], m, scale, top, vf{});
        sum = exponentials<M>(parts[1], m, scale, top, sum);
        float denominator = sumLanes(sum) + vexp(splat(sinks[m] - top))[0];
        reciprocal[m] = 1.0f / denominator;
        if (logSumExp != nullptr) {
            logSumExp[m] = top + __builtin_logf(denominator);
        }
    }
    for (int64_t column = 0; column < width; column += NR) {
        vf acc[M][2] = {};
        for (const Part &part : parts) {
            if (part.from < part.to) {
                tile<Fp32, M, 2>(
                        part.scores, part.keys->rows + column, part.keys->stride, part.from, part.to, acc);
            }
        }
        PL_UNROLL
        for (int m = 0; m < M; m++) {
            vf factor = splat(reciprocal[m]);
            float *y = out + m * width + column;
            storePart(y, acc[m][0] * factor, width - column);
            if (width - column > W) {
                storePart(y + W, acc[m][1] * factor, width - column - W);
            }
        }
    }
}

// One query, all heads of the item.
void attendQuery(
        const AttentionArgs &args, const Item &item, int64_t t, Part (&parts)[2], Scratch &scratch) {
    int64_t d = args.width;
    int64_t depth = roundUp(d, KB);
    float *q = scratch.take<float>(HEADS * depth);
    for (Part &part : parts) {
        part.scores = scratch.take<float>(HEADS * roundUp(part.to, ALIGN));
    }
    int64_t heads;
    for (int64_t head = item.head; head < item.head + item.heads; head += heads) {
        heads = headTile(item.head + item.heads - head);
        int64_t at = t * args.heads + head;
        for (int64_t m = 0; m < heads; m++) {
            packLeftRow(Fp32(), args.q + (at + m) * d, d, heads, q + m * KB);
        }
        withHeadTile(heads, [&](auto m) {
            attendHeads<decltype(m)::value>(
                    q, parts, args.sinks + head, args.scale, d, args.out + at * d,
                    args.logSumExp == nullptr ? nullptr : args.logSumExp + at);
        });
    }
}

void attendItem(Context &context, const AttentionArgs &args, const Item &item, Scratch &scratch) {
    int64_t itemMark = scratch.mark();
    const pl_batch &batch = args.batch;
    int64_t d = args.width;
    int64_t firstPosition = batch.positions[item.from];
    int64_t oldest = most<int64_t>(0, firstPosition - args.ring.rows + 1);
    int64_t base = oldest / ALIGN * ALIGN;
    int64_t lastPosition = firstPosition + (item.to - item.from) - 1;
    Keys window = gather(scratch, lastPosition + 1 - base, d, [&](int64_t i, float *out, int64_t stride) {
        windowRow(args, item, base + i, oldest, stride, out);
    });

    bool shared = args.hasEntries && args.entries.ids == nullptr;
    Keys entries = {};
    if (shared) {
        int64_t n = 0;
        for (int64_t t = item.from; t < item.to; t++) {
            n = most<int64_t>(n, args.entries.counts[t]);
        }
        entries = gather(scratch, n, d, [&](int64_t i, float *out, int64_t stride) {
            entryRow(context, args, item.sequence, i, stride, out);
        });
    }
    for (int64_t t = item.from; t < item.to; t++) {
        int64_t queryMark = scratch.mark();
        int64_t position = firstPosition + (t - item.from);
        int64_t count = args.hasEntries ? args.entries.counts[t] : 0;
        if (args.hasEntries && !shared) {
            const int32_t *ids = args.entries.ids + t * args.entries.budget;
            entries = gather(scratch, count, d, [&](int64_t i, float *out, int64_t stride) {
                entryRow(context, args, item.sequence, ids[i], stride, out);
            });
        }
        Part parts[2] = {
                {&window, most<int64_t>(0, position - args.ring.rows + 1) - base, position + 1 - base, nullptr},
                {&entries, 0, count, nullptr}};
        attendQuery(args, item, t, parts, scratch);
        scratch.release(queryMark);
    }
    scratch.release(itemMark);
}

} // namespace

void attention(Context &context, const AttentionArgs &args) {
    forItems(context, args, false, ITEM_QUERIES, [&](const Item &item, Scratch &scratch) {
        attendItem(context, args, item, scratch);
    });
}

} // namespace PL_ISA
} // namespace pl
