// Attention of decode rows by products of bf16 operands (tiles, dot products, or rounded fp32): queries, keys and the
// numerators of the probabilities are rounded to bf16, sums run in fp32 and the denominator adds what is not rounded.
//
// A work item is one query and some of its heads, the rows of two products: with the keys, whose panels hold a key a
// column, and with the values, whose steps hold a pair of keys. Window keys lie from a position on that is a multiple of
// ALIGN, entries after the next multiple, zeros in between: the order of every sum follows from the query alone.
#include "attention_items.h"
#include "gemm.h"
#include "transpose.h"

namespace pl {
namespace PL_ISA {

namespace {

// The keys of one query as bf16.
struct RoundedKeys {
    const uint16_t *rows; // [padded, stride], zeros where there is no key
    int64_t stride;       // width rounded up to NR
    int64_t count;        // rows in use
    int64_t padded;       // twice the steps of the product with the values
    int64_t from, to;     // window keys that the query sees
    int64_t entries;      // first entry
};

// Writes rows of bf16, rounded from fp32 unless they are bf16 where they lie.
struct RowWriter {
    int64_t width, stride;
    float *row; // room for one

    void copy(const uint16_t *source, uint16_t *out) const {
        __builtin_memcpy(out, source, sizeof(uint16_t) * static_cast<size_t>(width));
        zero(out + width, stride - width);
    }

    void round(uint16_t *out) const {
        for (int64_t i = 0; i < stride; i += W) {
            storeBf16(out + i, load(row + i));
        }
    }

    static void zero(uint16_t *out, int64_t n) {
        __builtin_memset(out, 0, sizeof(uint16_t) * static_cast<size_t>(n));
    }
};

void gatherWindow(const AttentionArgs &args, const Item &item, int64_t base, const RowWriter &writer,
                  const RoundedKeys &keys, uint16_t *rows) {
    for (int64_t i = keys.from; i < keys.to; i++) {
        uint16_t *out = rows + i * keys.stride;
        int64_t row = rowOfStep(args, item, base + i);
        if (row >= 0 && args.keyType == PL_BF16) {
            writer.copy(static_cast<const uint16_t *>(args.keys) + row * args.width, out);
        } else if (row < 0 && args.ring.layout == PL_PAGE_BF16) {
            const char *at = args.ring.row(args.batch.slots[item.sequence], (base + i) % args.ring.rows);
            writer.copy(reinterpret_cast<const uint16_t *>(at), out);
        } else {
            windowRow(args, item, base + i, base + keys.from, keys.stride, writer.row);
            writer.round(out);
        }
    }
}

void gatherEntries(Context &context, const AttentionArgs &args, const Item &item, const RowWriter &writer,
                   const RoundedKeys &keys, uint16_t *rows) {
    for (int64_t i = keys.entries; i < keys.count; i++) {
        int64_t n = i - keys.entries;
        int64_t entry = args.entries.ids == nullptr ? n : args.entries.ids[item.from * args.entries.budget + n];
        if (args.entryPages.layout == PL_PAGE_BF16) {
            int64_t page = entryPage(context, args, item.sequence, entry);
            const char *at = args.entryPages.row(page, entry % PL_PAGE_ENTRIES);
            writer.copy(reinterpret_cast<const uint16_t *>(at), rows + i * keys.stride);
        } else {
            entryRow(context, args, item.sequence, entry, keys.stride, writer.row);
            writer.round(rows + i * keys.stride);
        }
    }
}

RoundedKeys gatherRounded(Context &context, const AttentionArgs &args, const Item &item, Scratch &scratch) {
    RoundedKeys keys;
    int64_t position = args.batch.positions[item.from];
    int64_t oldest = most<int64_t>(0, position - args.ring.rows + 1);
    int64_t base = oldest / ALIGN * ALIGN;
    keys.stride = roundUp(args.width, NR);
    keys.from = oldest - base;
    keys.to = position + 1 - base;
    keys.entries = roundUp(keys.to, ALIGN);
    keys.count = keys.entries + (args.hasEntries ? args.entries.counts[item.from] : 0);
    keys.padded = depthOf<Bf16>(keys.count) * 2;
    auto *rows = scratch.take<uint16_t>(keys.padded * keys.stride);
    RowWriter writer = {args.width, keys.stride, scratch.take<float>(keys.stride)};
    RowWriter::zero(rows, keys.from * keys.stride);
    gatherWindow(args, item, base, writer, keys, rows);
    RowWriter::zero(rows + keys.to * keys.stride, (keys.entries - keys.to) * keys.stride);
    gatherEntries(context, args, item, writer, keys, rows);
    RowWriter::zero(rows + keys.count * keys.stride, (keys.padded - keys.count) * keys.stride);
    keys.rows = rows;
    return keys;
}

// A packed right operand that a product takes like a weight.
PL_INLINE pl_weight operand(int64_t outputs, int64_t inputs, Scratch &scratch) {
    pl_weight weight = {};
    weight.form = PL_BF16;
    weight.outputs = outputs;
    weight.inputs = inputs;
    weight.panels = ceilDiv(outputs, NR);
    weight.depth = depthOf<Bf16>(inputs);
    weight.panel = weight.depth * NR;
    weight.data = scratch.take<uint32_t>(weight.panels * weight.panel);
    return weight;
}

// Steps of pairs of keys, the even one in the low half.
void packValues(const RoundedKeys &keys, const pl_weight &weight) {
    for (int64_t panel = 0; panel < weight.panels; panel++) {
        auto *out = static_cast<uint32_t *>(weight.data) + panel * weight.panel;
        const uint16_t *rows = keys.rows + panel * NR;
        for (int64_t pair = 0; pair < weight.depth; pair++) {
            const uint16_t *even = rows + 2 * pair * keys.stride;
            PL_UNROLL
            for (int v = 0; v < 2; v++) {
                vu low = (vu)widen(even + v * W) >> 16;
                vu high = (vu)widen(even + keys.stride + v * W);
                store(reinterpret_cast<float *>(out + pair * NR + v * W), (vf)(low | high));
            }
        }
    }
}

template <class Left>
Left *packRows(const float *x, int64_t width, int64_t rows, int64_t depth, Scratch &scratch) {
    auto *left = scratch.take<Left>(leftSize<Bf16Gemm>(rows, depth));
    packLeft<Bf16Gemm>(x, width, width, rows, 0, rows, [](int64_t i) { return i; }, left);
    return left;
}

// Lanes of the vector at `at` that hold keys.
PL_INLINE vi present(const RoundedKeys &keys, int64_t at) {
    vi lane = laneIndex() + static_cast<int32_t>(at);
    vi window = (lane >= static_cast<int32_t>(keys.from)) & (lane < static_cast<int32_t>(keys.to));
    vi entry = (lane >= static_cast<int32_t>(keys.entries)) & (lane < static_cast<int32_t>(keys.count));
    return window | entry;
}

// Turns the scores of a head into numerators, zeros where there is no key; returns the denominator.
float numerators(const RoundedKeys &keys, float scale, float sink, float *scores, float *top) {
    vf greatest = splat(-__builtin_inff());
    for (int64_t i = 0; i < keys.padded; i += W) {
        greatest = vmax(present(keys, i) ? load(scores + i) : splat(-__builtin_inff()), greatest);
    }
    *top = most(maxLanes(greatest) * scale, sink);
    vf sum = {};
    for (int64_t i = 0; i < keys.padded; i += W) {
        vf e = vexp(fma(load(scores + i), splat(scale), splat(-*top)));
        e = present(keys, i) ? e : vf{};
        store(scores + i, e);
        sum += e;
    }
    return sumLanes(sum) + vexp(splat(sink - *top))[0];
}

void attendRounded(Context &context, const AttentionArgs &args, const Item &item, Scratch &scratch) {
    int64_t mark = scratch.mark();
    int64_t d = args.width;
    int64_t at = item.from * args.heads + item.head;
    RoundedKeys keys = gatherRounded(context, args, item, scratch);

    pl_weight right = operand(keys.count, d, scratch);
    packPanels<Bf16, uint16_t>(
            [&](int64_t i) { return keys.rows + i * keys.stride; }, keys.count, d,
            static_cast<Bf16::Right *>(right.data));
    auto *q = packRows<Bf16Gemm::Left>(args.q + at * d, d, item.heads, right.depth, scratch);
    float *scores = scratch.take<float>(item.heads * keys.padded);
    gemm<Bf16Gemm>(q, item.heads, right, 0, right.panels, scores, keys.padded);

    float *factors = scratch.take<float>(item.heads);
    for (int64_t m = 0; m < item.heads; m++) {
        float top;
        float denominator = numerators(keys, args.scale, args.sinks[item.head + m], scores + m * keys.padded, &top);
        factors[m] = 1.0f / denominator;
        if (args.logSumExp != nullptr) {
            args.logSumExp[at + m] = top + __builtin_logf(denominator);
        }
    }

    pl_weight values = operand(d, keys.padded, scratch);
    packValues(keys, values);
    auto *p = packRows<Bf16Gemm::Left>(scores, keys.padded, item.heads, values.depth, scratch);
    float *out = args.out + at * d;
    gemm<Bf16Gemm>(p, item.heads, values, 0, values.panels, out, d);
    for (int64_t m = 0; m < item.heads; m++) {
        for (int64_t i = 0; i < d; i += W) {
            storePart(out + m * d + i, loadPart(out + m * d + i, d - i) * splat(factors[m]), d - i);
        }
    }
    scratch.release(mark);
}

} // namespace

void attentionMma(Context &context, const AttentionArgs &args) {
    forItems(context, args, true, 1, [&](const Item &item, Scratch &scratch) {
        attendRounded(context, args, item, scratch);
    });
}

} // namespace PL_ISA
} // namespace pl
