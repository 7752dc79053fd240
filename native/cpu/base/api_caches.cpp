// The C interface of the kernels that write and read caches.
#include "checks.h"
#include "plain_kernels.h"

#include <algorithm>

using namespace pl;

namespace {

// PL_PAGE_... are the first values of Arithmetic but for INT32, RADIX and SORT.
Arithmetic arithmeticOf(int64_t layout) {
    constexpr Arithmetic OF[PL_PAGE_COUNT] = {FP32, BF16, INDEX_FP8, INDEX_MXFP4, KV_FP8};
    return OF[layout];
}

Option optionOf(int32_t transform) {
    constexpr Option OF[] = {NO_OPTION, HADAMARD, HADAMARD_FP4, FP8_BLOCKS};
    return OF[transform];
}

void checkTransform(Context &context, Kernel kernel, int32_t transform, int64_t width) {
    require(context, kernel, "transform", 0, transform, PL_NONE, PL_FP8_BLOCKS + 1);
    if ((transform == PL_HADAMARD || transform == PL_HADAMARD_FP4) && (width < 1 || (width & (width - 1)) != 0)) {
        fail(context, "%s: rows of %lld cannot be transformed; allowed: a power of two", kernelName(kernel),
             static_cast<long long>(width));
    }
}

} // namespace

extern "C" int64_t pl_transform(pl_context *context, int64_t rows, int64_t width, float *x, int32_t transform) {
    return guarded(context, KERNEL_TRANSFORM, [&] {
        require(*context, KERNEL_TRANSFORM, "transform", 0, transform, PL_NONE, PL_HADAMARD_FP4 + 1);
        checkTransform(*context, KERNEL_TRANSFORM, transform, width);
        context->kernels->transform(*context, rows, width, x, transform);
        return variantId(KERNEL_TRANSFORM, FP32, vectorIsa(*context), optionOf(transform));
    });
}

extern "C" int64_t pl_window_keys(
        pl_context *context, int64_t rows, int64_t width, int64_t rotated, const float *x, const float *weight,
        float eps, const float *table, int32_t transform, int32_t out_type, void *out) {
    return guarded(context, KERNEL_WINDOW_KEYS, [&] {
        checkTransform(*context, KERNEL_WINDOW_KEYS, transform, width);
        require(*context, KERNEL_WINDOW_KEYS, "rotated", 0, rotated, 0, width + 1);
        context->kernels->windowKeys(*context, rows, width, rotated, x, weight, eps, table, transform, out_type, out);
        return variantId(
                KERNEL_WINDOW_KEYS, out_type == PL_BF16 ? BF16 : FP32, vectorIsa(*context), optionOf(transform));
    });
}

extern "C" int64_t pl_append_ring(
        pl_context *context, const pl_batch *batch, int32_t source_type, const void *source, const pl_pool *ring) {
    return guarded(context, KERNEL_APPEND_RING, [&] {
        checkBatch(*context, KERNEL_APPEND_RING, *batch);
        checkSlots(*context, KERNEL_APPEND_RING, *batch, ring->pages);
        Pages pages = checkPool(*context, KERNEL_APPEND_RING, *ring, KEY_VALUE_PAGES, ANY, ring->width);
        int32_t type = pages.layout == PL_PAGE_FP32 ? PL_FP32 : PL_BF16;
        require(*context, KERNEL_APPEND_RING, "type of the source", 0, source_type, type, type + 1);
        bool coded = pages.layout == PL_PAGE_KV_FP8;
        if (coded) {
            context->kernels->encodeRing(*context, *batch, static_cast<const uint16_t *>(source), pages);
        } else {
            appendRing(*batch, source, pages);
        }
        return variantId(
                KERNEL_APPEND_RING, arithmeticOf(pages.layout), coded ? vectorIsa(*context) : ISA_PLAIN);
    });
}

extern "C" int64_t pl_compress(
        pl_context *context, const pl_batch *batch, int64_t ratio, int32_t overlapping, int64_t rotated,
        const float *ape, const float *norm, float eps, const float *frequencies, const float *projected,
        const float *state, int64_t state_slots, const int32_t *pages, int64_t pages_per_sequence, const pl_pool *pool,
        int32_t transform, float *shadow) {
    return guarded(context, KERNEL_COMPRESS, [&] {
        checkBatch(*context, KERNEL_COMPRESS, *batch);
        checkSlots(*context, KERNEL_COMPRESS, *batch, state_slots);
        require(*context, KERNEL_COMPRESS, "ratio", 0, ratio, 1, INT32_MAX);
        Pages rows = checkPool(
                *context, KERNEL_COMPRESS, *pool, INDEX_PAGES | KEY_VALUE_PAGES, PL_PAGE_ENTRIES, pool->width);
        require(*context, KERNEL_COMPRESS, "rotated", 0, rotated, 0, pool->width + 1);
        if (rows.layout == PL_PAGE_KV_FP8) {
            require(*context, KERNEL_COMPRESS, "rotated dims of a page", 0, rows.rotated, rotated, rotated + 1);
        }
        checkTransform(*context, KERNEL_COMPRESS, transform, pool->width);
        for (int64_t s = 0; s < batch->sequences; s++) {
            if (!empty(*batch, s)) {
                // Entries that this step closes.
                int64_t from = batch->positions[batch->first_row[s]] / ratio;
                int64_t to = (static_cast<int64_t>(batch->positions[batch->first_row[s + 1] - 1]) + 1) / ratio;
                checkPages(*context, KERNEL_COMPRESS, pages, pages_per_sequence, pool->pages, s, from, to);
            }
        }
        context->kernels->compress(
                *context, {*batch, ratio, overlapping != 0 ? 2 : 1, pool->width, rotated, ape, norm, eps, frequencies,
                           projected, state, pages, pages_per_sequence, rows, transform, shadow});
        return variantId(
                KERNEL_COMPRESS, arithmeticOf(rows.layout), vectorIsa(*context), optionOf(transform));
    });
}

extern "C" int64_t pl_index_scores(
        pl_context *context, const pl_batch *batch, int64_t row_from, int64_t rows, int64_t heads, const float *q,
        const float *head_weights, const pl_pool *keys, const int32_t *pages, int64_t pages_per_sequence,
        const int32_t *counts, int32_t score_type, const pl_pool *gathered, float *scores, int64_t score_stride) {
    return guarded(context, KERNEL_INDEX_SCORES, [&] {
        checkBatch(*context, KERNEL_INDEX_SCORES, *batch);
        atLeast(*context, KERNEL_INDEX_SCORES, "heads", heads, 1);
        atLeast(*context, KERNEL_INDEX_SCORES, "width", keys->width, 1);
        atLeast(*context, KERNEL_INDEX_SCORES, "rows", rows, 0);
        require(*context, KERNEL_INDEX_SCORES, "rowFrom", 0, row_from, 0, batch->rows - rows + 1);
        require(*context, KERNEL_INDEX_SCORES, "type of the scores", 0, score_type, PL_FP32, PL_BF16 + 1);
        Pages own = checkPool(*context, KERNEL_INDEX_SCORES, *keys, INDEX_PAGES, PL_PAGE_ENTRIES, keys->width);
        Pages copies = {};
        if (gathered != nullptr) {
            copies = checkPool(
                    *context, KERNEL_INDEX_SCORES, *gathered, 1u << own.layout, PL_PAGE_ENTRIES, keys->width);
            atLeast(*context, KERNEL_INDEX_SCORES, "gathered pages", copies.count, 1);
        }
        for (int64_t s = 0; s < batch->sequences; s++) {
            int64_t most = 0;
            int64_t end = std::min<int64_t>(batch->first_row[s + 1], row_from + rows);
            for (int64_t t = std::max<int64_t>(batch->first_row[s], row_from); t < end; t++) {
                require(*context, KERNEL_INDEX_SCORES, "counts", t, counts[t], 0, score_stride + 1);
                most = std::max<int64_t>(most, counts[t]);
            }
            checkPages(*context, KERNEL_INDEX_SCORES, pages, pages_per_sequence, own.count, s, 0, most);
        }
        bool bf16 = score_type == PL_BF16;
        context->kernels->indexScores(
                *context, {*batch, row_from, rows, heads, keys->width, q, head_weights, own, pages, pages_per_sequence,
                           counts, bf16, copies, scores, score_stride});
        Option option = gathered == nullptr ? bf16 ? BF16_SCORES : NO_OPTION
                                            : bf16 ? BF16_SCORES_GATHERED : GATHERED;
        return variantId(
                KERNEL_INDEX_SCORES, arithmeticOf(own.layout),
                own.layout == PL_PAGE_FP32 ? vectorIsa(*context) : dotIsa(*context), option);
    });
}

extern "C" int64_t pl_attention(
        pl_context *context, const pl_batch *batch, int64_t heads, int64_t width, const float *q, int32_t key_type,
        const void *keys, const pl_pool *ring, const pl_entries *entries, const float *sinks, float scale, int32_t mma,
        float *out, float *log_sum_exp) {
    return guarded(context, KERNEL_ATTENTION, [&] {
        checkBatch(*context, KERNEL_ATTENTION, *batch);
        checkSlots(*context, KERNEL_ATTENTION, *batch, ring->pages);
        atLeast(*context, KERNEL_ATTENTION, "heads", heads, 1);
        atLeast(*context, KERNEL_ATTENTION, "width", width, 1);
        require(*context, KERNEL_ATTENTION, "type of the keys", 0, key_type, PL_FP32, PL_BF16 + 1);
        AttentionArgs args = {};
        args.batch = *batch;
        args.heads = heads;
        args.width = width;
        args.q = q;
        args.keyType = key_type;
        args.keys = keys;
        args.ring = checkPool(*context, KERNEL_ATTENTION, *ring, KEY_VALUE_PAGES, ANY, width);
        args.sinks = sinks;
        args.scale = scale;
        args.mma = mma != 0;
        args.out = out;
        args.logSumExp = log_sum_exp;
        if (entries != nullptr) {
            args.hasEntries = true;
            args.entries = *entries;
            args.entryPages = checkPool(
                    *context, KERNEL_ATTENTION, entries->pool, KEY_VALUE_PAGES, PL_PAGE_ENTRIES, width);
            int64_t most = entries->ids != nullptr ? entries->budget : entries->pages_per_sequence * PL_PAGE_ENTRIES;
            for (int64_t t = 0; t < batch->rows; t++) {
                if (batch->sequence_of[t] >= 0) {
                    require(*context, KERNEL_ATTENTION, "counts", t, entries->counts[t], 0, most + 1);
                }
            }
        }
        context->kernels->attention(*context, args);
        if (args.mma) {
            context->kernels->attentionMma(*context, args);
        }
        return variantId(
                KERNEL_ATTENTION, arithmeticOf(args.ring.layout), args.mma ? context->isa : vectorIsa(*context),
                args.mma ? MMA_DECODE : NO_OPTION);
    });
}
