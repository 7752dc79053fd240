package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Matrix;
import dev.plumbline.kernel.WeightSource;

/** A matrix turned over, [inputs][outputs], and cut into panels of at most {@link #PANEL} outputs. */
final class PackedLinear extends Matrix {
    static final int PANEL = 512;
    private static final int PIECE = 1 << 16;

    private float[][][] panels;

    PackedLinear(WeightSource source, int outputs, int inputs, DType form) {
        super(outputs, inputs, form);
        this.panels = new float[(outputs + PANEL - 1) / PANEL][inputs][];
        for (int p = 0; p < panels.length; p++) {
            for (int k = 0; k < inputs; k++) {
                panels[p][k] = new float[width(p)];
            }
        }
        fill(source);
    }

    private void fill(WeightSource source) {
        int rowsAtOnce = Math.max(1, PIECE / inputs());
        float[] piece = new float[rowsAtOnce * inputs()];
        for (int n = 0; n < outputs(); n += rowsAtOnce) {
            int rows = Math.min(rowsAtOnce, outputs() - n);
            source.read((long) n * inputs(), piece, 0, rows * inputs());
            if (form() == DType.BF16) {
                Rounding.bf16(piece, 0, piece, 0, rows * inputs());
            }
            for (int r = 0; r < rows; r++) {
                float[][] panel = panels[(n + r) / PANEL];
                int column = (n + r) % PANEL;
                for (int k = 0; k < inputs(); k++) {
                    panel[k][column] = piece[r * inputs() + k];
                }
            }
        }
    }

    static PackedLinear of(LinearWeight weight) {
        if (weight instanceof PackedLinear packed) {
            return packed;
        }
        throw new KernelException("weight of another backend: " + weight);
    }

    int panelCount() {
        return (outputs() + PANEL - 1) / PANEL;
    }

    /** Outputs of panel {@code p}. */
    int width(int p) {
        return Math.min(PANEL, outputs() - p * PANEL);
    }

    float[][] panel(int p) {
        float[][][] all = panels;
        if (all == null) {
            throw new KernelException("weight was closed and then used");
        }
        return all[p];
    }

    @Override
    public long bytes() {
        return (long) outputs() * inputs() * Float.BYTES;
    }

    @Override
    public void close() {
        panels = null;
    }
}
