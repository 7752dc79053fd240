// Rows on their way into a cache: transforms in place, and rings in a format that has to be encoded.
#include "rows.h"
#include "table.h"
#include "transforms.h"

namespace pl {
namespace PL_ISA {

void transform(Context &context, int64_t rows, int64_t width, float *x, int32_t kind) {
    forRows(context, rows, 8 * width, [=](int64_t from, int64_t to, int) {
        for (int64_t t = from; t < to; t++) {
            transformRow(kind, x + t * width, width, 0);
        }
    });
}

void encodeRing(Context &context, const pl_batch &batch, const uint16_t *source, const Pages &ring) {
    auto encode = [&](int64_t s, int thread) {
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        float *row = scratch.take<float>(ring.width);
        int64_t end = batch.first_row[s + 1];
        for (int64_t t = most<int64_t>(batch.first_row[s], end - ring.rows); t < end; t++) {
            widenBf16Row(source + t * ring.width, ring.width, row);
            storeRow(ring, batch.slots[s], batch.positions[t] % ring.rows, row);
        }
        scratch.release(mark);
    };
    if (batch.sequences > 0) {
        parallel(context, batch.sequences, encode);
    }
}

} // namespace PL_ISA
} // namespace pl
