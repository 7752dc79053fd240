package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.DType;
import dev.plumbline.precision.Blocks;
import dev.plumbline.precision.PageFormat.Layout;
import java.util.Arrays;

/** Index queries, rounded as the keys are, and their scores against a block of keys. */
final class IndexQuery {
    private final HostTensor q;
    private final HostTensor headWeights;
    private final Layout keys;
    private final boolean bf16Scores;
    private final int heads;
    private final int d;
    private final float headFactor;
    private final float dimFactor;

    IndexQuery(HostTensor q, HostTensor headWeights, Layout keys, DType scoreType) {
        this.q = q;
        this.headWeights = headWeights;
        this.keys = keys;
        this.bf16Scores = scoreType == DType.BF16;
        this.heads = q.size(1);
        this.d = q.size(2);
        this.headFactor = (float) (1 / Math.sqrt(heads));
        this.dimFactor = (float) (1 / Math.sqrt(d));
    }

    /**
     * Scores of a row against the first n keys of a block.
     *
     * @param turned keys [d][at least n]
     * @param scales factor of each key, or null
     */
    float[] score(int t, float[][] turned, float[] scales, int n) {
        float[] query = q.copy((long) t * heads * d, heads * d);
        float[] weights = headWeights.copy((long) t * heads, heads);
        round(query, weights);
        float[] sum = new float[n];
        float[] dots = new float[n];
        for (int h = 0; h < heads; h++) {
            Arrays.fill(dots, 0);
            Gemm.accumulate(query, h * d, d, turned, 0, n, dots);
            if (bf16Scores) {
                addRounded(weights[h], dots, sum);
            } else {
                add(weights[h] * headFactor, dots, sum);
            }
        }
        for (int e = 0; e < n && scales != null; e++) {
            sum[e] *= scales[e];
        }
        for (int e = 0; e < n && bf16Scores; e++) {
            sum[e] = Rounding.bf16(sum[e] * headFactor * dimFactor);
        }
        return sum;
    }

    private void add(float factor, float[] dots, float[] sum) {
        for (int e = 0; e < sum.length; e++) {
            sum[e] += factor * Math.max(0f, dots[e]) * dimFactor;
        }
    }

    /** The constants are left to the end: they are no powers of two, and what is rounded is the contract's. */
    private void addRounded(float weight, float[] dots, float[] sum) {
        for (int e = 0; e < sum.length; e++) {
            sum[e] += Rounding.bf16(weight * Math.max(0f, Rounding.bf16(dots[e])));
        }
    }

    /** Rounds the heads of a query in place; what e4m3 scales away joins the head's weight. */
    private void round(float[] query, float[] weights) {
        switch (keys) {
            case FP32, KV_FP8 -> {}
            case BF16 -> Rounding.bf16(query, 0, query, 0, query.length);
            case INDEX_MXFP4 -> {
                for (int h = 0; h < heads; h++) {
                    Blocks.roundFp4(query, h * d, d);
                }
            }
            case INDEX_FP8 -> {
                for (int h = 0; h < heads; h++) {
                    weights[h] *= Blocks.roundFp8Row(query, h * d, d);
                }
            }
        }
    }
}
