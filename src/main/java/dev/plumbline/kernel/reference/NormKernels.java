package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.KeyTransform;
import dev.plumbline.kernel.Variant;

/** RMS norms and rotations. Sums of squares run in double, in order. */
final class NormKernels {
    private static final Variant RMS = new Variant("rmsNorm.fp32.java");
    private static final Variant ROPE = new Variant("rope.fp32.java");
    private static final Variant WINDOW_FP32 = new Variant("windowKeys.fp32.java");
    private static final Variant WINDOW_BF16 = new Variant("windowKeys.bf16.java");
    private static final Variant WINDOW_FP32_FP8 = new Variant("windowKeys.fp32.fp8_blocks.java");
    private static final Variant WINDOW_BF16_FP8 = new Variant("windowKeys.bf16.fp8_blocks.java");

    private final Workers workers;

    NormKernels(Workers workers) {
        this.workers = workers;
    }

    Variant rmsNorm(HostTensor x, HostTensor weight, float eps, HostTensor y) {
        int d = x.lastDim();
        float[] w = weight == null ? null : weight.copy(0, d);
        int rows = d == 0 ? 0 : Math.toIntExact(x.elements() / d);
        workers.each(rows, 2L * d, t -> {
            long at = (long) t * d;
            norm(x.floats(at, d), x.place(at), d, w, eps, y.floats(at, d), y.place(at));
        });
        return RMS;
    }

    Variant rope(HostTensor x, HostTensor table, boolean inverse) {
        int heads = x.size(1);
        int d = x.size(2);
        int rotated = table.size(1);
        workers.each(x.size(0), (long) heads * rotated * 2, t -> {
            long at = (long) t * rotated;
            float[] turn = table.floats(at, rotated);
            for (int h = 0; h < heads; h++) {
                long head = ((long) t * heads + h) * d;
                rotate(x.floats(head, d), x.place(head) + d - rotated, turn, table.place(at), rotated, inverse);
            }
        });
        return ROPE;
    }

    Variant windowKeys(
            HostTensor x, HostTensor weight, float eps, HostTensor table, KeyTransform transform, HostTensor out) {
        int d = x.size(1);
        int rotated = table.size(1);
        float[] w = weight.copy(0, d);
        workers.each(x.size(0), 3L * d, t -> {
            float[] key = new float[d];
            long at = (long) t * d;
            norm(x.floats(at, d), x.place(at), d, w, eps, key, 0);
            long turn = (long) t * rotated;
            rotate(key, d - rotated, table.floats(turn, rotated), table.place(turn), rotated, false);
            Transforms.apply(transform, key, 0, d, rotated);
            out.write(key, 0, d, at);
        });
        if (transform == KeyTransform.FP8_BLOCKS) {
            return out.isBf16() ? WINDOW_BF16_FP8 : WINDOW_FP32_FP8;
        }
        return out.isBf16() ? WINDOW_BF16 : WINDOW_FP32;
    }

    /** {@code y = x / sqrt(mean(x²) + eps) · weight}; the arrays may be the same. */
    static void norm(float[] x, int from, int d, float[] weight, float eps, float[] y, int at) {
        float factor = inverseRoot(x, from, d, eps);
        if (weight == null) {
            for (int i = 0; i < d; i++) {
                y[at + i] = x[from + i] * factor;
            }
        } else {
            for (int i = 0; i < d; i++) {
                y[at + i] = x[from + i] * factor * weight[i];
            }
        }
    }

    /** {@code 1 / sqrt(mean(x²) + eps)}. */
    static float inverseRoot(float[] x, int from, int d, float eps) {
        double even = 0;
        double odd = 0;
        int i = 0;
        for (; i + 2 <= d; i += 2) {
            even += (double) x[from + i] * x[from + i];
            odd += (double) x[from + i + 1] * x[from + i + 1];
        }
        if (i < d) {
            even += (double) x[from + i] * x[from + i];
        }
        return (float) (1 / Math.sqrt((even + odd) / d + eps));
    }

    /** Rotates interleaved pairs by (cos, sin) pairs. */
    static void rotate(float[] x, int from, float[] turn, int at, int rotated, boolean inverse) {
        for (int i = 0; i < rotated; i += 2) {
            float cos = turn[at + i];
            float sin = inverse ? -turn[at + i + 1] : turn[at + i + 1];
            float a = x[from + i];
            float b = x[from + i + 1];
            x[from + i] = a * cos - b * sin;
            x[from + i + 1] = b * cos + a * sin;
        }
    }

    /** (cos, sin) pairs of one position; the angle is a product of floats. */
    static void turn(float position, float[] frequencies, float[] target, int at) {
        for (int i = 0; i < frequencies.length; i++) {
            float angle = position * frequencies[i];
            target[at + 2 * i] = (float) Math.cos(angle);
            target[at + 2 * i + 1] = (float) Math.sin(angle);
        }
    }
}
