// Compressor (spec 3.5, 3.6): pools the window that a row closes, norms, rotates, transforms and stores the entry.
#include "rows.h"
#include "table.h"
#include "transforms.h"

namespace pl {
namespace PL_ISA {

namespace {

struct Slot {
    const float *kv;   // [width]
    const float *gate; // [width]
    const float *ape;  // [width]
};

// u = sum over slots of softmax(gate + ape) * kv, channel by channel.
PL_INLINE void pool(const Slot *slots, int64_t count, int64_t width, float *u) {
    for (int64_t i = 0; i < width; i += W) {
        int64_t n = width - i;
        vf top = splat(-__builtin_inff());
        for (int64_t s = 0; s < count; s++) {
            top = vmax(loadPart(slots[s].gate + i, n) + loadPart(slots[s].ape + i, n), top);
        }
        vf sum = {}, pooled = {};
        for (int64_t s = 0; s < count; s++) {
            vf e = vexp(loadPart(slots[s].gate + i, n) + loadPart(slots[s].ape + i, n) - top);
            sum += e;
            pooled = fma(e, loadPart(slots[s].kv + i, n), pooled);
        }
        storePart(u + i, pooled / sum, n);
    }
}

// The projected row of position p - back for the row t at position p: of this step, or remembered in the ring.
PL_INLINE const float *projectedRow(
        const CompressArgs &args, int64_t t, int64_t sequence, int64_t position, int64_t back) {
    int64_t row = 2 * args.series * args.width;
    if (t - back >= args.batch.first_row[sequence]) {
        return args.projected + (t - back) * row;
    }
    int64_t length = args.series * args.ratio;
    return args.state + (args.batch.slots[sequence] * length + (position - back) % length) * row;
}

void closeWindow(const CompressArgs &args, int64_t t, int64_t sequence, Scratch &scratch) {
    int64_t position = args.batch.positions[t];
    int64_t entry = position / args.ratio;
    int64_t d = args.width;
    int64_t series = args.series * d; // width of kv and of gate in a projected row
    int64_t mark = scratch.mark();
    Slot *slots = scratch.take<Slot>(args.series * args.ratio);
    int64_t count = 0;
    if (args.series == 2 && entry > 0) {
        for (int64_t r = 0; r < args.ratio; r++) {
            const float *row = projectedRow(args, t, sequence, position, 2 * args.ratio - 1 - r);
            slots[count++] = {row, row + series, args.ape + r * series};
        }
    }
    int64_t last = series - d; // the series that pools its own window
    for (int64_t r = 0; r < args.ratio; r++) {
        const float *row = projectedRow(args, t, sequence, position, args.ratio - 1 - r);
        slots[count++] = {row + last, row + series + last, args.ape + r * series + last};
    }
    float *u = scratch.take<float>(d);
    pool(slots, count, d, u);

    vf scale = splat(rmsScale(u, d, args.eps));
    for (int64_t i = 0; i < d; i += W) {
        storePart(u + i, loadPart(u + i, d - i) * scale * loadPart(args.norm + i, d - i), d - i);
    }
    float *table = scratch.take<float>(args.rotated);
    float *cosines = scratch.take<float>(roundUp(args.rotated, W));
    float *sines = scratch.take<float>(roundUp(args.rotated, W));
    float first = static_cast<float>(entry * args.ratio);
    for (int64_t i = 0; i < args.rotated / 2; i++) {
        float angle = first * args.frequencies[i];
        table[2 * i] = static_cast<float>(__builtin_cos(static_cast<double>(angle)));
        table[2 * i + 1] = static_cast<float>(__builtin_sin(static_cast<double>(angle)));
    }
    spreadAngles(table, args.rotated, false, cosines, sines);
    rotate(u + d - args.rotated, cosines, sines, args.rotated);

    int64_t page = args.pages[sequence * args.pagesPerSequence + entry / PL_PAGE_ENTRIES];
    int64_t at = entry % PL_PAGE_ENTRIES;
    if (args.shadow != nullptr) {
        __builtin_memcpy(
                args.shadow + (page * PL_PAGE_ENTRIES + at) * d, u, sizeof(float) * static_cast<size_t>(d));
    }
    transformRow(args.transform, u, d, args.rotated);
    storeRow(args.pool, page, at, u);
    scratch.release(mark);
}

} // namespace

void compress(Context &context, const CompressArgs &args) {
    struct Closing {
        int64_t row, sequence;
    };
    Closing *closing = context.scratch.take<Closing>(args.batch.rows);
    int64_t count = 0;
    for (int64_t s = 0; s < args.batch.sequences; s++) {
        for (int64_t t = args.batch.first_row[s]; t < args.batch.first_row[s + 1]; t++) {
            if ((static_cast<int64_t>(args.batch.positions[t]) + 1) % args.ratio == 0) {
                closing[count++] = {t, s};
            }
        }
    }
    int64_t work = 8 * args.series * args.ratio * args.width;
    forRows(context, count, work, [&](int64_t from, int64_t to, int thread) {
        for (int64_t i = from; i < to; i++) {
            closeWindow(
                    args, closing[i].row, closing[i].sequence, context.threadScratch[static_cast<size_t>(thread)]);
        }
    });
}

} // namespace PL_ISA
} // namespace pl
