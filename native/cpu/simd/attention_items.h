// What both kinds of attention share: the work items of a step and the keys that an item reads.
#pragma once

#include "formats.h"
#include "rows.h"
#include "table.h"

namespace pl {
namespace PL_ISA {

constexpr int64_t ALIGN = 32; // keys are grouped from multiples of this on

struct Item {
    int64_t sequence, from, to; // rows of the step
    int64_t head, heads;
};

PL_INLINE bool isRounded(const AttentionArgs &args, int64_t t) {
    return args.mma && args.batch.stages[t] == PL_DECODE;
}

// Calls body(item, scratch) for runs of at most `longest` rows that all are rounded, or all are not.
template <class Body>
PL_INLINE void forItems(Context &context, const AttentionArgs &args, bool rounded, int64_t longest, Body body) {
    const pl_batch &batch = args.batch;
    int64_t mark = context.scratch.mark();
    // Few rows: heads are divided among the threads as well.
    int64_t rows = batch.first_row[batch.sequences];
    int64_t headParts = rows < context.pool.threads() ? least<int64_t>(context.pool.threads(), args.heads) : 1;
    int64_t headsPerPart = ceilDiv(args.heads, headParts);
    int64_t parts = ceilDiv(args.heads, headsPerPart);
    auto *items = context.scratch.take<Item>(rows * parts);
    int64_t count = 0;
    for (int64_t s = 0; s < batch.sequences; s++) {
        int64_t end;
        for (int64_t t = batch.first_row[s]; t < batch.first_row[s + 1]; t = end) {
            end = t + 1;
            while (end < batch.first_row[s + 1] && end < t + longest && isRounded(args, end) == isRounded(args, t)) {
                end++;
            }
            for (int64_t head = 0; isRounded(args, t) == rounded && head < args.heads; head += headsPerPart) {
                items[count++] = {s, t, end, head, least(headsPerPart, args.heads - head)};
            }
        }
    }
    auto attend = [&](int64_t chunk, int thread) {
        body(items[chunk], context.threadScratch[static_cast<size_t>(thread)]);
    };
    parallel(context, count, attend);
    context.scratch.release(mark);
}

PL_INLINE void fillUp(float *row, int64_t width, int64_t stride) {
    for (int64_t i = width; i < stride; i++) {
        row[i] = 0.0f;
    }
}

// The row of the step that holds the key at a position, or -1 if the ring does.
PL_INLINE int64_t rowOfStep(const AttentionArgs &args, const Item &item, int64_t position) {
    int64_t row = item.from + (position - args.batch.positions[item.from]);
    return row >= args.batch.first_row[item.sequence] ? row : -1;
}

// The key at a position that the first row of the item may see: of this step, or from the ring; zeros before `oldest`.
PL_INLINE void windowRow(
        const AttentionArgs &args, const Item &item, int64_t position, int64_t oldest, int64_t stride, float *out) {
    int64_t d = args.width;
    int64_t row = rowOfStep(args, item, position);
    if (row >= 0) {
        if (args.keyType == PL_BF16) {
            widenBf16Row(static_cast<const uint16_t *>(args.keys) + row * d, d, out);
        } else {
            __builtin_memcpy(
                    out, static_cast<const float *>(args.keys) + row * d, sizeof(float) * static_cast<size_t>(d));
        }
        fillUp(out, d, stride);
    } else if (position >= oldest) {
        loadRow(args.ring, args.batch.slots[item.sequence], position % args.ring.rows, out);
        fillUp(out, d, stride);
    } else {
        fillUp(out, 0, stride);
    }
}

// The page that holds a compressed entry of the sequence.
PL_INLINE int64_t entryPage(Context &context, const AttentionArgs &args, int64_t sequence, int64_t entry) {
    const pl_entries &entries = args.entries;
    if (entry < 0 || entry >= entries.pages_per_sequence * PL_PAGE_ENTRIES) {
        fail(context, "attention: entry id %lld is outside the page table of %lld entries",
             static_cast<long long>(entry), static_cast<long long>(entries.pages_per_sequence * PL_PAGE_ENTRIES));
    }
    int64_t page = entries.pages[sequence * entries.pages_per_sequence + entry / PL_PAGE_ENTRIES];
    if (page < 0 || page >= args.entryPages.count) {
        fail(context, "attention: page id %lld of entry %lld is outside the pool of %lld pages",
             static_cast<long long>(page), static_cast<long long>(entry),
             static_cast<long long>(args.entryPages.count));
    }
    return page;
}

PL_INLINE void entryRow(
        Context &context, const AttentionArgs &args, int64_t sequence, int64_t entry, int64_t stride, float *out) {
    loadRow(args.entryPages, entryPage(context, args, sequence, entry), entry % PL_PAGE_ENTRIES, out);
    fillUp(out, args.width, stride);
}

} // namespace PL_ISA
} // namespace pl
