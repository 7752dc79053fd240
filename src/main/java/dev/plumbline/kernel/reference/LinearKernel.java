package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Variant;
import java.util.List;

/** Linears: tiles of rows times panels of outputs, blocks of inputs innermost so that a panel block stays in cache. */
final class LinearKernel {
    private static final int TILE = 32;
    private static final int BLOCK = 64;
    private static final Variant FP32 = new Variant("linear.fp32.java");
    private static final Variant BF16 = new Variant("linear.bf16.java");
    private static final Variant GROUPED_FP32 = new Variant("groupedLinear.fp32.java");
    private static final Variant GROUPED_BF16 = new Variant("groupedLinear.bf16.java");

    private final Workers workers;

    LinearKernel(Workers workers) {
        this.workers = workers;
    }

    Variant linear(HostTensor x, LinearWeight weight, HostTensor y) {
        apply(x, 0, PackedLinear.of(weight), y, 0);
        return weight.form() == DType.BF16 ? BF16 : FP32;
    }

    Variant grouped(HostTensor x, List<? extends LinearWeight> weights, HostTensor y) {
        boolean bf16 = false;
        for (int g = 0; g < weights.size(); g++) {
            PackedLinear weight = PackedLinear.of(weights.get(g));
            apply(x, g * weight.inputs(), weight, y, g * weight.outputs());
            bf16 |= weight.form() == DType.BF16;
        }
        return bf16 ? GROUPED_BF16 : GROUPED_FP32;
    }

    /** Maps columns from {@code xColumn} on of every row of x to columns from {@code yColumn} on of y. */
    void apply(HostTensor x, int xColumn, PackedLinear weight, HostTensor y, int yColumn) {
        int rows = x.size(0);
        int panels = weight.panelCount();
        int tiles = (rows + TILE - 1) / TILE;
        long cost = (long) Math.min(TILE, rows) * weight.inputs() * Math.min(weight.outputs(), PackedLinear.PANEL) / 8;
        workers.each(tiles * panels, cost, task -> {
            int from = task / panels * TILE;
            tile(x, xColumn, from, Math.min(rows, from + TILE), weight, task % panels, y, yColumn);
        });
    }

    private static void tile(
            HostTensor x, int xColumn, int from, int to, PackedLinear weight, int p, HostTensor y, int yColumn) {
        int inputs = weight.inputs();
        int width = weight.width(p);
        float[][] panel = weight.panel(p);
        float[][] sums = new float[to - from][width];
        float[][] operands = new float[to - from][];
        int[] places = new int[to - from];
        for (int t = from; t < to; t++) {
            long at = (long) t * x.lastDim() + xColumn;
            float[] row = x.floats(at, inputs);
            int place = x.place(at);
            if (weight.form() == DType.BF16) {
                float[] rounded = new float[inputs];
                Rounding.bf16(row, place, rounded, 0, inputs);
                row = rounded;
                place = 0;
            }
            operands[t - from] = row;
            places[t - from] = place;
        }
        for (int k = 0; k < inputs; k += BLOCK) {
            int length = Math.min(BLOCK, inputs - k);
            for (int i = 0; i < sums.length; i++) {
                Gemm.accumulate(operands[i], places[i] + k, length, panel, k, width, sums[i]);
            }
        }
        for (int t = from; t < to; t++) {
            y.write(sums[t - from], 0, width, (long) t * y.lastDim() + yColumn + (long) p * PackedLinear.PANEL);
        }
    }
}
