// The C interface: checks whatever the kernels will form addresses from, then calls them.
#include "plain_kernels.h"
#include "variants.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

namespace {

using namespace pl;

using Long = long long;

template <class Body>
int64_t guarded(pl_context *context, Kernel kernel, Body body) {
    context->message[0] = 0;
    try {
        context->resetScratch();
        return body();
    } catch (const Fault &) {
        return PL_ERROR_ARGUMENT;
    } catch (const std::bad_alloc &) {
        if (context->message[0] != 0) {
            return PL_ERROR_ARGUMENT; // a worker's complaint
        }
        std::snprintf(context->message, sizeof context->message, "%s: out of memory", kernelName(kernel));
        return PL_ERROR_MEMORY;
    } catch (...) {
        std::snprintf(context->message, sizeof context->message, "%s: internal error", kernelName(kernel));
        return PL_ERROR_INTERNAL;
    }
}

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

// Runs of rows lie one after another, positions are consecutive and rows know their sequence.
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

// Pages that hold entries [from, to) of a sequence exist.
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

} // namespace

extern "C" pl_weight *pl_weight_create(pl_context *context, int32_t form, int64_t outputs, int64_t inputs) {
    int64_t width = context->kernels->panelWidth;
    int64_t panels = (outputs + width - 1) / width;
    int64_t steps = form == PL_BF16 ? (inputs + 1) / 2 : inputs;
    int64_t depth = (steps + 15) / 16 * 16;
    int64_t panel, elements, bytes;
    if (outputs < 1 || inputs < 1 || (form != PL_FP32 && form != PL_BF16) ||
        __builtin_mul_overflow(depth, width, &panel) || __builtin_mul_overflow(panel, panels, &elements) ||
        __builtin_mul_overflow(elements, 4, &bytes)) {
        return nullptr;
    }
    pl_weight *weight = new (std::nothrow) pl_weight{form, outputs, inputs, panels, depth, panel, bytes, nullptr};
    if (weight == nullptr) {
        return nullptr;
    }
    weight->data = pl_allocate(bytes);
    if (weight->data == nullptr) {
        delete weight;
        return nullptr;
    }
    return weight;
}

extern "C" int64_t pl_weight_fill(
        pl_context *context, pl_weight *weight, int64_t first_row, int64_t rows, const float *source) {
    if (first_row < 0 || rows < 0 || first_row > weight->outputs - rows) {
        return PL_ERROR_ARGUMENT;
    }
    context->kernels->packWeight(*weight, first_row, rows, source);
    return 0;
}

extern "C" int64_t pl_weight_bytes(const pl_weight *weight) { return weight->bytes; }

extern "C" void pl_weight_destroy(pl_weight *weight) {
    if (weight != nullptr) {
        pl_free(weight->data, weight->bytes);
        delete weight;
    }
}

extern "C" int64_t pl_embed(
        pl_context *context, const pl_batch *batch, int32_t table_type, int64_t vocabulary, int64_t hidden,
        int64_t streams, const void *table, float *out) {
    return guarded(context, KERNEL_EMBED, [&] {
        checkBatch(*context, KERNEL_EMBED, *batch);
        checkTokens(*context, KERNEL_EMBED, *batch, vocabulary);
        embed(*batch, table_type, hidden, streams, table, out);
        return variantId(KERNEL_EMBED, table_type == PL_BF16 ? BF16 : FP32, ISA_PLAIN);
    });
}

extern "C" int64_t pl_angles(
        pl_context *context, const pl_batch *batch, int64_t pairs, const float *frequencies, float *table) {
    return guarded(context, KERNEL_ANGLES, [&] {
        checkBatch(*context, KERNEL_ANGLES, *batch);
        angles(*context, *batch, pairs, frequencies, table);
        return variantId(KERNEL_ANGLES, FP32, ISA_PLAIN);
    });
}

extern "C" int64_t pl_visible(pl_context *context, const pl_batch *batch, int64_t ratio, int32_t *counts) {
    return guarded(context, KERNEL_VISIBLE, [&] {
        checkBatch(*context, KERNEL_VISIBLE, *batch);
        require(*context, KERNEL_VISIBLE, "ratio", 0, ratio, 1, INT32_MAX);
        for (int64_t t = 0; t < batch->rows; t++) {
            int64_t tokens = static_cast<int64_t>(batch->positions[t]) + 1;
            counts[t] = batch->sequence_of[t] < 0 ? 0 : static_cast<int32_t>(tokens / ratio);
        }
        return variantId(KERNEL_VISIBLE, INT32, ISA_PLAIN);
    });
}

extern "C" int64_t pl_mix(
        pl_context *context, int64_t rows, int64_t streams, int64_t hidden, const float *x, const pl_hyper *hyper,
        float *post, float *comb, float *collapsed) {
    return guarded(context, KERNEL_MIX, [&] {
        require(*context, KERNEL_MIX, "streams", 0, streams, 1, MOST_STREAMS + 1);
        context->kernels->mix(*context, {rows, streams, hidden, x, *hyper, post, comb, collapsed});
        return variantId(KERNEL_MIX, FP32, vectorIsa(*context));
    });
}

extern "C" int64_t pl_unmix(
        pl_context *context, int64_t rows, int64_t streams, int64_t hidden, const float *y, const float *post,
        const float *comb, float *x) {
    return guarded(context, KERNEL_UNMIX, [&] {
        require(*context, KERNEL_UNMIX, "streams", 0, streams, 1, MOST_STREAMS + 1);
        context->kernels->unmix(*context, rows, streams, hidden, y, post, comb, x);
        return variantId(KERNEL_UNMIX, FP32, vectorIsa(*context));
    });
}

extern "C" int64_t pl_collapse(
        pl_context *context, int64_t rows, int64_t streams, int64_t hidden, const float *x, const pl_hyper *hyper,
        float *collapsed) {
    return guarded(context, KERNEL_COLLAPSE, [&] {
        require(*context, KERNEL_COLLAPSE, "streams", 0, streams, 1, MOST_STREAMS + 1);
        context->kernels->collapse(*context, {rows, streams, hidden, x, *hyper, nullptr, nullptr, collapsed});
        return variantId(KERNEL_COLLAPSE, FP32, vectorIsa(*context));
    });
}

extern "C" int64_t pl_rms_norm(
        pl_context *context, int64_t rows, int64_t width, const float *x, const float *weight, float eps, float *y) {
    return guarded(context, KERNEL_RMS_NORM, [&] {
        context->kernels->rmsNorm(*context, rows, width, x, weight, eps, y);
        return variantId(KERNEL_RMS_NORM, FP32, vectorIsa(*context));
    });
}

extern "C" int64_t pl_linear(
        pl_context *context, int64_t rows, const float *x, const pl_weight *weight, float *y) {
    return guarded(context, KERNEL_LINEAR, [&] {
        context->kernels->linear(*context, {rows, x, weight->inputs, y, weight->outputs, weight});
        bool bf16 = weight->form == PL_BF16;
        return variantId(KERNEL_LINEAR, bf16 ? BF16 : FP32, bf16 ? context->isa : vectorIsa(*context));
    });
}

extern "C" int64_t pl_grouped_linear(
        pl_context *context, int64_t rows, const float *x, const pl_weight *const *weights, int64_t groups, float *y) {
    return guarded(context, KERNEL_GROUPED_LINEAR, [&] {
        bool bf16 = false;
        for (int64_t g = 0; g < groups; g++) {
            const pl_weight &weight = *weights[g];
            bf16 = weight.form == PL_BF16;
            context->kernels->linear(
                    *context, {rows, x + g * weight.inputs, groups * weight.inputs, y + g * weight.outputs,
                               groups * weight.outputs, weights[g]});
        }
        return variantId(KERNEL_GROUPED_LINEAR, bf16 ? BF16 : FP32, bf16 ? context->isa : vectorIsa(*context));
    });
}

extern "C" int64_t pl_rope(
        pl_context *context, int64_t rows, int64_t heads, int64_t width, int64_t rotated, float *x, const float *table,
        int32_t inverse) {
    return guarded(context, KERNEL_ROPE, [&] {
        context->kernels->rope(*context, rows, heads, width, rotated, x, table, inverse != 0);
        return variantId(KERNEL_ROPE, FP32, vectorIsa(*context));
    });
}

extern "C" int64_t pl_window_keys(
        pl_context *context, int64_t rows, int64_t width, int64_t rotated, const float *x, const float *weight,
        float eps, const float *table, int32_t out_type, void *out) {
    return guarded(context, KERNEL_WINDOW_KEYS, [&] {
        context->kernels->windowKeys(*context, rows, width, rotated, x, weight, eps, table, out_type, out);
        return variantId(KERNEL_WINDOW_KEYS, out_type == PL_BF16 ? BF16 : FP32, vectorIsa(*context));
    });
}

extern "C" int64_t pl_append_ring(
        pl_context *context, const pl_batch *batch, int32_t dtype, int64_t width, int64_t length, int64_t ring_slots,
        const void *source, void *ring) {
    return guarded(context, KERNEL_APPEND_RING, [&] {
        checkBatch(*context, KERNEL_APPEND_RING, *batch);
        checkSlots(*context, KERNEL_APPEND_RING, *batch, ring_slots);
        atLeast(*context, KERNEL_APPEND_RING, "ring length", length, 1);
        appendRing(*batch, width * (dtype == PL_BF16 ? 2 : 4), length, source, ring);
        return variantId(KERNEL_APPEND_RING, dtype == PL_BF16 ? BF16 : FP32, ISA_PLAIN);
    });
}

extern "C" int64_t pl_compress(
        pl_context *context, const pl_batch *batch, int64_t ratio, int32_t overlapping, int64_t width, int64_t rotated,
        const float *ape, const float *norm, float eps, const float *frequencies, const float *projected,
        const float *state, int64_t state_slots, const int32_t *pages, int64_t pages_per_sequence, int32_t pool_type,
        void *pool, int64_t pool_pages) {
    return guarded(context, KERNEL_COMPRESS, [&] {
        checkBatch(*context, KERNEL_COMPRESS, *batch);
        checkSlots(*context, KERNEL_COMPRESS, *batch, state_slots);
        require(*context, KERNEL_COMPRESS, "ratio", 0, ratio, 1, INT32_MAX);
        atLeast(*context, KERNEL_COMPRESS, "width", width, 1);
        require(*context, KERNEL_COMPRESS, "rotated", 0, rotated, 0, width + 1);
        for (int64_t s = 0; s < batch->sequences; s++) {
            if (!empty(*batch, s)) {
                // Entries that this step closes.
                int64_t from = batch->positions[batch->first_row[s]] / ratio;
                int64_t to = (static_cast<int64_t>(batch->positions[batch->first_row[s + 1] - 1]) + 1) / ratio;
                checkPages(*context, KERNEL_COMPRESS, pages, pages_per_sequence, pool_pages, s, from, to);
            }
        }
        context->kernels->compress(
                *context, {*batch, ratio, overlapping != 0 ? 2 : 1, width, rotated, ape, norm, eps, frequencies,
                           projected, state, pages, pages_per_sequence, pool_type, pool});
        return variantId(KERNEL_COMPRESS, pool_type == PL_BF16 ? BF16 : FP32, vectorIsa(*context));
    });
}

extern "C" int64_t pl_index_scores(
        pl_context *context, const pl_batch *batch, int64_t row_from, int64_t rows, int64_t heads, int64_t width,
        const float *q, const float *head_weights, int32_t key_type, const void *keys, int64_t pool_pages,
        const int32_t *pages, int64_t pages_per_sequence, const int32_t *counts, float *scores, int64_t score_stride) {
    return guarded(context, KERNEL_INDEX_SCORES, [&] {
        checkBatch(*context, KERNEL_INDEX_SCORES, *batch);
        atLeast(*context, KERNEL_INDEX_SCORES, "heads", heads, 1);
        atLeast(*context, KERNEL_INDEX_SCORES, "width", width, 1);
        atLeast(*context, KERNEL_INDEX_SCORES, "rows", rows, 0);
        require(*context, KERNEL_INDEX_SCORES, "rowFrom", 0, row_from, 0, batch->rows - rows + 1);
        for (int64_t s = 0; s < batch->sequences; s++) {
            int64_t most = 0;
            int64_t end = std::min<int64_t>(batch->first_row[s + 1], row_from + rows);
            for (int64_t t = std::max<int64_t>(batch->first_row[s], row_from); t < end; t++) {
                require(*context, KERNEL_INDEX_SCORES, "counts", t, counts[t], 0, score_stride + 1);
                most = std::max<int64_t>(most, counts[t]);
            }
            checkPages(*context, KERNEL_INDEX_SCORES, pages, pages_per_sequence, pool_pages, s, 0, most);
        }
        context->kernels->indexScores(
                *context, {*batch, row_from, rows, heads, width, q, head_weights, key_type, keys, pages,
                           pages_per_sequence, counts, scores, score_stride});
        bool bf16 = key_type == PL_BF16;
        return variantId(KERNEL_INDEX_SCORES, bf16 ? BF16 : FP32, bf16 ? dotIsa(*context) : vectorIsa(*context));
    });
}

extern "C" int64_t pl_top_k(
        pl_context *context, int32_t sort, int64_t rows, int64_t candidates, const float *scores,
        const int32_t *counts, int64_t budget, int32_t *ids, int32_t *found) {
    return guarded(context, KERNEL_TOP_K, [&] {
        for (int64_t i = 0; i < rows; i++) {
            require(*context, KERNEL_TOP_K, "counts", i, counts[i], 0, candidates + 1);
        }
        topK(*context, sort != 0, rows, candidates, scores, counts, budget, ids, found);
        return sort != 0 ? variantId(KERNEL_TOP_K, SORT, ISA_PLAIN)
                         : variantId(KERNEL_TOP_K, RADIX, vectorIsa(*context));
    });
}

extern "C" int64_t pl_attention(
        pl_context *context, const pl_batch *batch, int64_t heads, int64_t width, const float *q, int32_t key_type,
        const void *keys, const void *ring, int64_t ring_slots, int64_t window, const pl_entries *entries,
        const float *sinks, float scale, float *out, float *log_sum_exp) {
    return guarded(context, KERNEL_ATTENTION, [&] {
        checkBatch(*context, KERNEL_ATTENTION, *batch);
        checkSlots(*context, KERNEL_ATTENTION, *batch, ring_slots);
        atLeast(*context, KERNEL_ATTENTION, "heads", heads, 1);
        atLeast(*context, KERNEL_ATTENTION, "width", width, 1);
        atLeast(*context, KERNEL_ATTENTION, "window", window, 1);
        AttentionArgs args = {*batch, heads,   width, q,     key_type, keys, ring,
                              window, false, {},    sinks, scale,    out,  log_sum_exp};
        if (entries != nullptr) {
            args.hasEntries = true;
            args.entries = *entries;
            int64_t most = entries->ids != nullptr ? entries->budget : entries->pages_per_sequence * PL_PAGE_ENTRIES;
            for (int64_t t = 0; t < batch->rows; t++) {
                if (batch->sequence_of[t] >= 0) {
                    require(*context, KERNEL_ATTENTION, "counts", t, entries->counts[t], 0, most + 1);
                }
            }
        }
        context->kernels->attention(*context, args);
        return variantId(KERNEL_ATTENTION, key_type == PL_BF16 ? BF16 : FP32, vectorIsa(*context));
    });
}

extern "C" int64_t pl_route(
        pl_context *context, const pl_batch *batch, int64_t experts, int64_t chosen, const float *logits,
        const float *bias, const int32_t *table, int64_t vocabulary, float scaling, int32_t *ids, float *weights) {
    return guarded(context, KERNEL_ROUTE, [&] {
        checkBatch(*context, KERNEL_ROUTE, *batch);
        require(*context, KERNEL_ROUTE, "chosen", 0, chosen, 1, experts + 1);
        if (table != nullptr) {
            checkTokens(*context, KERNEL_ROUTE, *batch, vocabulary);
        }
        route(*context, {*batch, experts, chosen, logits, bias, table, scaling, ids, weights});
        return variantId(KERNEL_ROUTE, FP32, ISA_PLAIN);
    });
}

extern "C" int64_t pl_experts(
        pl_context *context, const pl_batch *batch, int64_t hidden, int64_t chosen, int64_t experts, const float *x,
        const int32_t *ids, const float *weights, const pl_weight *const *gate_up, const pl_weight *const *down,
        float limit, float *y) {
    return guarded(context, KERNEL_EXPERTS, [&] {
        checkBatch(*context, KERNEL_EXPERTS, *batch);
        atLeast(*context, KERNEL_EXPERTS, "chosen", chosen, 1);
        atLeast(*context, KERNEL_EXPERTS, "experts", experts, 1);
        for (int64_t t = 0; t < batch->rows; t++) {
            for (int64_t i = 0; batch->sequence_of[t] >= 0 && i < chosen; i++) {
                require(*context, KERNEL_EXPERTS, "ids", t * chosen + i, ids[t * chosen + i], 0, experts);
            }
        }
        context->kernels->experts(
                *context, {batch->rows, hidden, chosen, experts, batch->sequence_of, x, ids, weights, gate_up, down,
                           limit, y});
        bool bf16 = gate_up[0]->form == PL_BF16;
        return variantId(KERNEL_EXPERTS, bf16 ? BF16 : FP32, bf16 ? context->isa : vectorIsa(*context));
    });
}

extern "C" int64_t pl_swiglu(
        pl_context *context, int64_t rows, int64_t width, const float *gate_up, float limit, float *h) {
    return guarded(context, KERNEL_SWIGLU, [&] {
        context->kernels->swiglu(*context, rows, width, gate_up, limit, h);
        return variantId(KERNEL_SWIGLU, FP32, vectorIsa(*context));
    });
}

extern "C" int64_t pl_gather_rows(
        pl_context *context, int64_t source_rows, int64_t row_bytes, const void *x, const int32_t *rows, int64_t n,
        void *out) {
    return guarded(context, KERNEL_GATHER_ROWS, [&] {
        for (int64_t i = 0; i < n; i++) {
            require(*context, KERNEL_GATHER_ROWS, "rows", i, rows[i], 0, source_rows);
        }
        for (int64_t i = 0; i < n; i++) {
            std::memcpy(
                    static_cast<char *>(out) + i * row_bytes, static_cast<const char *>(x) + rows[i] * row_bytes,
                    static_cast<size_t>(row_bytes));
        }
        return variantId(KERNEL_GATHER_ROWS, FP32, ISA_PLAIN);
    });
}

extern "C" int64_t pl_sample(
        pl_context *context, int64_t rows, int64_t vocabulary, float *logits, const pl_sampling *sampling,
        int32_t *ids) {
    return guarded(context, KERNEL_SAMPLE, [&] {
        require(*context, KERNEL_SAMPLE, "vocabulary", 0, vocabulary, 1, INT32_MAX);
        for (int64_t i = 0; i < rows; i++) {
            int64_t from = sampling->adjustment_start[i];
            require(*context, KERNEL_SAMPLE, "adjustmentStart", i, from, 0, sampling->adjustments + 1);
            int64_t to = sampling->adjustment_start[i + 1];
            require(*context, KERNEL_SAMPLE, "adjustmentStart", i + 1, to, from, sampling->adjustments + 1);
            for (int64_t a = from; a < to; a++) {
                require(*context, KERNEL_SAMPLE, "adjustmentToken", a, sampling->adjustment_token[a], 0, vocabulary);
            }
        }
        sample(*context, rows, vocabulary, logits, *sampling, ids);
        return variantId(KERNEL_SAMPLE, FP32, ISA_PLAIN);
    });
}

extern "C" int64_t pl_log_probabilities(
        pl_context *context, int64_t rows, int64_t vocabulary, const float *logits, const int32_t *ids, float *chosen,
        int64_t k, int32_t *top_ids, float *top) {
    return guarded(context, KERNEL_LOG_PROBABILITIES, [&] {
        require(*context, KERNEL_LOG_PROBABILITIES, "k", 0, k, 0, vocabulary + 1);
        for (int64_t i = 0; i < rows; i++) {
            require(*context, KERNEL_LOG_PROBABILITIES, "ids", i, ids[i], 0, vocabulary);
        }
        logProbabilities(*context, rows, vocabulary, logits, ids, chosen, k, top_ids, top);
        return variantId(KERNEL_LOG_PROBABILITIES, FP32, ISA_PLAIN);
    });
}
