#include "checks.h"

namespace pl {

namespace {

using Long = long long;

constexpr int64_t MOST_NUMBERS = INT32_MAX; // rows of a page, and numbers of a row

const char *const LAYOUTS[PL_PAGE_COUNT] = {"fp32", "bf16", "index_fp8", "index_mxfp4", "kv_fp8"};

} // namespace

void require(Context &context, Kernel kernel, const char *what, int64_t index, int64_t value, int64_t from, int64_t to) {
    if (value < from || value >= to) {
        fail(context, "%s: %s[%lld] is %lld; allowed: %lld to %lld", kernelName(kernel), what, static_cast<Long>(index),
             static_cast<Long>(value), static_cast<Long>(from), static_cast<Long>(to - 1));
    }
}

void atLeast(Context &context, Kernel kernel, const char *what, int64_t value, int64_t least) {
    if (value < least) {
        fail(context, "%s: %s is %lld, expected at least %lld", kernelName(kernel), what, static_cast<Long>(value),
             static_cast<Long>(least));
    }
}

void checkBatch(Context &context, Kernel kernel, const pl_batch &batch) {
    atLeast(context, kernel, "rows", batch.rows, 0);
    atLeast(context, kernel, "sequences", batch.sequences, 0);
    require(context, kernel, "firstRow", 0, batch.first_row[0], 0, 1);
    int64_t row = 0;
    for (int64_t s = 0; s < batch.sequences; s++) {
        require(context, kernel, "firstRow", s, batch.first_row[s], row, row + 1);
        require(context, kernel, "firstRow", s + 1, batch.first_row[s + 1], row, batch.rows + 1);
        int64_t end = batch.first_row[s + 1];
        for (; row < end; row++) {
            require(context, kernel, "sequenceOf", row, batch.sequence_of[row], s, s + 1);
            require(context, kernel, "positions", row, batch.positions[row], 0, batch.max_context);
            require(context, kernel, "stages", row, batch.stages[row], PL_PREFILL, PL_DECODE + 1);
            if (row > batch.first_row[s]) {
                int64_t next = static_cast<int64_t>(batch.positions[row - 1]) + 1;
                require(context, kernel, "positions", row, batch.positions[row], next, next + 1);
            }
        }
    }
    for (; row < batch.rows; row++) {
        require(context, kernel, "sequenceOf", row, batch.sequence_of[row], -1, 0);
    }
}

bool empty(const pl_batch &batch, int64_t sequence) {
    return batch.first_row[sequence] == batch.first_row[sequence + 1];
}

void checkSlots(Context &context, Kernel kernel, const pl_batch &batch, int64_t slots) {
    for (int64_t s = 0; s < batch.sequences; s++) {
        if (!empty(batch, s)) {
            require(context, kernel, "slots", s, batch.slots[s], 0, slots);
        }
    }
}

void checkTokens(Context &context, Kernel kernel, const pl_batch &batch, int64_t vocabulary) {
    for (int64_t t = 0; t < batch.rows; t++) {
        if (batch.sequence_of[t] >= 0) {
            require(context, kernel, "tokens", t, batch.tokens[t], 0, vocabulary);
        }
    }
}

void checkPages(
        Context &context, Kernel kernel, const int32_t *pages, int64_t perSequence, int64_t poolPages,
        int64_t sequence, int64_t from, int64_t to) {
    if (from >= to) {
        return;
    }
    require(context, kernel, "entries of sequence", sequence, to, 0, perSequence * PL_PAGE_ENTRIES + 1);
    for (int64_t p = from / PL_PAGE_ENTRIES; p * PL_PAGE_ENTRIES < to; p++) {
        int64_t at = sequence * perSequence + p;
        require(context, kernel, "pages", at, pages[at], 0, poolPages);
    }
}

Pages checkPool(Context &context, Kernel kernel, const pl_pool &pool, uint32_t layouts, int64_t rows, int64_t width) {
    require(context, kernel, "layout", 0, pool.layout, 0, PL_PAGE_COUNT);
    if ((layouts >> pool.layout & 1u) == 0) {
        fail(context, "%s: pages of %s are of no use here", kernelName(kernel), LAYOUTS[pool.layout]);
    }
    require(context, kernel, "rows of a page", 0, pool.rows, rows == ANY ? 1 : rows, rows == ANY ? MOST_NUMBERS : rows + 1);
    require(context, kernel, "width of a row", 0, pool.width, 1, MOST_NUMBERS);
    require(context, kernel, "width of a row", 0, pool.width, width, width + 1);
    bool split = pool.layout == PL_PAGE_KV_FP8;
    require(context, kernel, "rotated", 0, pool.rotated, 0, split ? pool.width + 1 : 1);
    if ((split || pool.layout == PL_PAGE_INDEX_MXFP4) && (pool.width % 2 != 0 || pool.rotated % 2 != 0)) {
        fail(context, "%s: rows of %s have %lld numbers, %lld of them rotated; allowed: even numbers",
             kernelName(kernel), LAYOUTS[pool.layout], static_cast<Long>(pool.width),
             static_cast<Long>(pool.rotated));
    }
    Pages pages = pagesOf(pool);
    int64_t end;
    if (pages.bytes != pool.page_bytes || pool.pages < 0 || __builtin_mul_overflow(pages.bytes, pool.pages, &end)) {
        fail(context, "%s: %lld pages of %s have %lld bytes each, expected %lld", kernelName(kernel),
             static_cast<Long>(pool.pages), LAYOUTS[pool.layout], static_cast<Long>(pool.page_bytes),
             static_cast<Long>(pages.bytes));
    }
    return pages;
}

} // namespace pl
