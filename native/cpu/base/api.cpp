// The C interface: checks whatever the kernels will form addresses from, then calls them.
#include "checks.h"
#include "plain_kernels.h"

#include <cstring>

using namespace pl;

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
        return variantId(KERNEL_MIX, hyper->fn_type == PL_BF16 ? BF16 : FP32, vectorIsa(*context));
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
        return variantId(KERNEL_COLLAPSE, hyper->fn_type == PL_BF16 ? BF16 : FP32, vectorIsa(*context));
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
        float limit, const float *scaling, float *y) {
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
                           limit, scaling, y});
        bool bf16 = gate_up[0]->form == PL_BF16;
        return variantId(
                KERNEL_EXPERTS, bf16 ? BF16 : FP32, bf16 ? context->isa : vectorIsa(*context),
                scaling == nullptr ? NO_OPTION : SEPARATE);
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
