// Attention over window, entries and sink with one softmax (spec 3.4 steps 5-7).
//
// A work item is a run of queries of one sequence. It converts the keys that its queries share to fp32 once: rows (for
// probabilities times values) and column panels (for scores). Then each query multiplies all its heads with its own
// range of keys. Every sum of a query depends only on its own keys: products add key by key in order, and the lane that
// a key's exponential is added to follows from its absolute position (window) or its place among the entries.
#include "rows.h"
#include "table.h"
#include "transpose.h"

namespace pl {
namespace PL_ISA {

namespace {

constexpr int64_t ITEM_QUERIES = 32; // queries of a work item
constexpr int64_t ALIGN = 32;   // keys are grouped from multiples of this on

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

struct Item {
    int64_t sequence, from, to; // rows of the step
    int64_t head, heads;
};

PL_INLINE void widenRow(const void *source, int32_t type, int64_t row, int64_t width, int64_t stride, float *out) {
    if (type == PL_BF16) {
        const uint16_t *p = static_cast<const uint16_t *>(source) + row * width;
        int64_t i = 0;
        for (; i + W <= width; i += W) {
            store(out + i, widen(p + i));
        }
        for (; i < width; i++) {
            out[i] = widenBf16(p[i]);
        }
    } else {
        __builtin_memcpy(out, static_cast<const float *>(source) + row * width, sizeof(float) * width);
    }
    for (int64_t i = width; i < stride; i++) {
        out[i] = 0.0f;
    }
}

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

// Row of the pool that holds an entry of the sequence.
PL_INLINE int64_t poolRow(Context &context, const AttentionArgs &args, int64_t sequence, int64_t entry) {
    const pl_entries &entries = args.entries;
    if (entry < 0 || entry >= entries.pages_per_sequence * PL_PAGE_ENTRIES) {
        fail(context, "attention: entry id %lld is outside the page table of %lld entries",
             static_cast<long long>(entry), static_cast<long long>(entries.pages_per_sequence * PL_PAGE_ENTRIES));
    }
    int64_t page = entries.pages[sequence * entries.pages_per_sequence + entry / PL_PAGE_ENTRIES];
    if (page < 0 || page >= entries.pool_pages) {
        fail(context, "attention: page id %lld of entry %lld is outside the pool of %lld pages",
             static_cast<long long>(page), static_cast<long long>(entry),
             static_cast<long long>(entries.pool_pages));
    }
    return page * PL_PAGE_ENTRIES + entry % PL_PAGE_ENTRIES;
}

void attendItem(Context &context, const AttentionArgs &args, const Item &item, Scratch &scratch) {
    int64_t itemMark = scratch.mark();
    const pl_batch &batch = args.batch;
    int64_t d = args.width;
    int64_t runStart = batch.first_row[item.sequence];
    int64_t firstPosition = batch.positions[item.from];
    int64_t oldest = most<int64_t>(0, firstPosition - args.window + 1);
    int64_t base = oldest / ALIGN * ALIGN;
    int64_t lastPosition = firstPosition + (item.to - item.from) - 1;
    int64_t slot = batch.slots[item.sequence];
    Keys window = gather(scratch, lastPosition + 1 - base, d, [&](int64_t i, float *out, int64_t stride) {
        int64_t position = base + i;
        int64_t row = item.from + (position - firstPosition);
        if (row >= runStart) {
            widenRow(args.keys, args.keyType, row, d, stride, out);
        } else if (position >= oldest) {
            widenRow(args.ring, args.keyType, slot * args.window + position % args.window, d, stride, out);
        } else {
            __builtin_memset(out, 0, sizeof(float) * stride);
        }
    });

    bool shared = args.hasEntries && args.entries.ids == nullptr;
    Keys entries = {};
    if (shared) {
        int64_t n = 0;
        for (int64_t t = item.from; t < item.to; t++) {
            n = most<int64_t>(n, args.entries.counts[t]);
        }
        entries = gather(scratch, n, d, [&](int64_t i, float *out, int64_t stride) {
            widenRow(args.entries.pool, args.keyType, poolRow(context, args, item.sequence, i), d, stride, out);
        });
    }
    for (int64_t t = item.from; t < item.to; t++) {
        int64_t queryMark = scratch.mark();
        int64_t position = firstPosition + (t - item.from);
        int64_t count = args.hasEntries ? args.entries.counts[t] : 0;
        if (args.hasEntries && !shared) {
            const int32_t *ids = args.entries.ids + t * args.entries.budget;
            entries = gather(scratch, count, d, [&](int64_t i, float *out, int64_t stride) {
                widenRow(args.entries.pool, args.keyType, poolRow(context, args, item.sequence, ids[i]), d, stride, out);
            });
        }
        Part parts[2] = {
                {&window, most<int64_t>(0, position - args.window + 1) - base, position + 1 - base, nullptr},
                {&entries, 0, count, nullptr}};
        attendQuery(args, item, t, parts, scratch);
        scratch.release(queryMark);
    }
    scratch.release(itemMark);
}

} // namespace

void attention(Context &context, const AttentionArgs &args) {
    const pl_batch &batch = args.batch;
    // Few rows: heads are divided among the threads as well.
    int64_t rows = batch.first_row[batch.sequences];
    int64_t headParts = rows < context.pool.threads() ? least<int64_t>(context.pool.threads(), args.heads) : 1;
    int64_t headsPerPart = ceilDiv(args.heads, headParts);
    auto *items = context.scratch.take<Item>(
            (ceilDiv(rows, ITEM_QUERIES) + batch.sequences) * ceilDiv(args.heads, headsPerPart));
    int64_t count = 0;
    for (int64_t s = 0; s < batch.sequences; s++) {
        for (int64_t t = batch.first_row[s]; t < batch.first_row[s + 1]; t += ITEM_QUERIES) {
            for (int64_t head = 0; head < args.heads; head += headsPerPart) {
                items[count++] = {
                        s, t, least<int64_t>(batch.first_row[s + 1], t + ITEM_QUERIES), head,
                        least(headsPerPart, args.heads - head)};
            }
        }
    }
    auto attend = [&](int64_t chunk, int thread) {
        attendItem(context, args, items[chunk], context.threadScratch[static_cast<size_t>(thread)]);
    };
    parallel(context, count, attend);
}

} // namespace PL_ISA
} // namespace pl
