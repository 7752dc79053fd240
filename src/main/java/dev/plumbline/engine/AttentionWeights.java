package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.precision.AttentionDecode;
import dev.plumbline.trace.EntryTrace;
import dev.plumbline.trace.Stage;

/**
 * Shares of attention after the fact: exp(q·k·scale − log of the denominator) per head, from the query and the
 * denominator that attention worked with. Rounds query and entry where attention did.
 */
final class AttentionWeights {
    /** Most query rows of one transfer. */
    private static final int BLOCK = 64;

    private final Kernels kernels;
    private final double scale;
    private final boolean roundsDecode;
    private float[] denominators = {};
    private int firstDenominator;
    private float[] queries = {};
    private int firstQuery;
    private int endQuery;
    private int heads;
    private int at;
    private int row;

    AttentionWeights(Kernels kernels, int headDim, AttentionDecode decode) {
        this.kernels = kernels;
        this.roundsDecode = decode == AttentionDecode.MMA;
        this.scale = (float) (1 / Math.sqrt(headDim));
    }

    /** Reads the rows {@code first} to {@code last} of the denominators' logs [T, H]. */
    void readDenominators(Tensor value, int first, int last) {
        heads = (int) value.dim(1);
        int length = (last - first + 1) * heads;
        if (denominators.length < length) {
            denominators = new float[length];
        }
        kernels.download(value, (long) first * heads, denominators, 0, length);
        firstDenominator = first;
        firstQuery = 0;
        endQuery = 0;
    }

    /** Takes a row of the queries [T, H, d], reading ahead up to the row {@code last}. */
    void query(Tensor value, int of, int last) {
        int width = Math.toIntExact(value.dim(1) * value.dim(2));
        if (of < firstQuery || of >= endQuery) {
            int rows = Math.min(BLOCK, last - of + 1);
            if (queries.length < rows * width) {
                queries = new float[rows * width];
            }
            kernels.download(value, (long) of * width, queries, 0, rows * width);
            firstQuery = of;
            endQuery = of + rows;
        }
        row = of;
        at = (of - firstQuery) * width;
    }

    /** The entry with the share that the taken query, of that stage, gave it. */
    EntryTrace weigh(EntryTrace entry, float[] values, Stage stage) {
        boolean rounds = roundsDecode && stage == Stage.DECODE;
        double sum = 0;
        double highest = 0;
        for (int head = 0; head < heads; head++) {
            double dot = 0;
            for (int i = 0; i < values.length; i++) {
                float q = queries[at + head * values.length + i];
                dot += rounds ? (double) bf16(q) * bf16(values[i]) : (double) q * values[i];
            }
            double share = Math.exp(dot * scale - denominators[(row - firstDenominator) * heads + head]);
            sum += share;
            highest = Math.max(highest, share);
        }
        return entry.withMass(sum / heads, highest);
    }

    private static float bf16(float value) {
        int bits = Float.floatToRawIntBits(value);
        // To nearest, ties to even; what is no number never came here, as its share is none either.
        return Float.intBitsToFloat((bits + 0x7FFF + ((bits >>> 16) & 1)) & 0xFFFF0000);
    }
}
