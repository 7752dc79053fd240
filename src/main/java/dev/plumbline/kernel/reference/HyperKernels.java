package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.HyperWeights;
import dev.plumbline.kernel.Variant;

/** Hyper-connections (spec 3.3) and the collapse before the head (3.10). */
final class HyperKernels {
    private static final Variant MIX = new Variant("mix.fp32.java");
    private static final Variant MIX_BF16 = new Variant("mix.bf16.java");
    private static final Variant UNMIX = new Variant("unmix.fp32.java");
    private static final Variant COLLAPSE = new Variant("collapse.fp32.java");
    private static final Variant COLLAPSE_BF16 = new Variant("collapse.bf16.java");

    private final Workers workers;

    HyperKernels(Workers workers) {
        this.workers = workers;
    }

    Variant mix(HostTensor streams, HyperWeights weights, HostTensor post, HostTensor comb, HostTensor collapsed) {
        int h = streams.size(1);
        int d = streams.size(2);
        int outputs = (2 + h) * h;
        HostTensor fn = HostTensor.of(weights.fn());
        float[] base = HostTensor.of(weights.base()).copy(0, outputs);
        float[] scale = HostTensor.of(weights.scale()).copy(0, 3);
        workers.each(streams.size(0), (long) outputs * h * d, t -> {
            float[] v = streams.copy((long) t * h * d, h * d);
            float[] m = project(fn, outputs, v, weights.normEps());
            float[] after = new float[h];
            for (int j = 0; j < h; j++) {
                m[j] = sigmoid(m[j] * scale[0] + base[j]) + weights.hcEps();
                after[j] = 2 * sigmoid(m[h + j] * scale[1] + base[h + j]);
            }
            float[] c = new float[h * h];
            for (int i = 0; i < h * h; i++) {
                c[i] = m[2 * h + i] * scale[2] + base[2 * h + i];
            }
            sinkhorn(c, h, weights.iterations(), weights.hcEps());
            post.write(after, 0, h, (long) t * h);
            comb.write(c, 0, h * h, (long) t * h * h);
            collapsed.write(weighted(m, v, h, d), 0, d, (long) t * d);
        });
        return fn.isBf16() ? MIX_BF16 : MIX;
    }

    Variant unmix(HostTensor y, HostTensor post, HostTensor comb, HostTensor streams) {
        int h = streams.size(1);
        int d = streams.size(2);
        workers.each(streams.size(0), (long) (h + 1) * h * d, t -> {
            float[] old = streams.copy((long) t * h * d, h * d);
            float[] in = y.copy((long) t * d, d);
            float[] p = post.copy((long) t * h, h);
            float[] c = comb.copy((long) t * h * h, h * h);
            float[] row = new float[d];
            for (int k = 0; k < h; k++) {
                for (int i = 0; i < d; i++) {
                    row[i] = p[k] * in[i];
                }
                for (int j = 0; j < h; j++) {
                    float factor = c[j * h + k];
                    int from = j * d;
                    for (int i = 0; i < d; i++) {
                        row[i] += factor * old[from + i];
                    }
                }
                streams.write(row, 0, d, ((long) t * h + k) * d);
            }
        });
        return UNMIX;
    }

    Variant collapse(HostTensor streams, HyperWeights weights, HostTensor collapsed) {
        int h = streams.size(1);
        int d = streams.size(2);
        HostTensor fn = HostTensor.of(weights.fn());
        float[] base = HostTensor.of(weights.base()).copy(0, h);
        float scale = HostTensor.of(weights.scale()).floatAt(0);
        workers.each(streams.size(0), (long) h * h * d, t -> {
            float[] v = streams.copy((long) t * h * d, h * d);
            float[] m = project(fn, h, v, weights.normEps());
            for (int j = 0; j < h; j++) {
                m[j] = sigmoid(m[j] * scale + base[j]) + weights.hcEps();
            }
            collapsed.write(weighted(m, v, h, d), 0, d, (long) t * d);
        });
        return fn.isBf16() ? COLLAPSE_BF16 : COLLAPSE;
    }

    private static float[] project(HostTensor fn, int outputs, float[] v, float eps) {
        float root = NormKernels.inverseRoot(v, 0, v.length, eps);
        float[] operand = v;
        if (fn.isBf16()) {
            operand = new float[v.length];
            Rounding.bf16(v, 0, operand, 0, v.length);
        }
        float[] m = new float[outputs];
        for (int n = 0; n < outputs; n++) {
            long at = (long) n * v.length;
            m[n] = Gemm.dot(operand, 0, fn.floats(at, v.length), fn.place(at), v.length) * root;
        }
        return m;
    }

    private static float[] weighted(float[] weights, float[] v, int h, int d) {
        float[] sum = new float[d];
        for (int j = 0; j < h; j++) {
            float weight = weights[j];
            int from = j * d;
            for (int i = 0; i < d; i++) {
                sum[i] += weight * v[from + i];
            }
        }
        return sum;
    }

    /** Softmax of each row + eps, then columns, then (iterations − 1) times rows and columns. */
    private static void sinkhorn(float[] c, int h, int iterations, float eps) {
        for (int j = 0; j < h; j++) {
            float highest = Float.NEGATIVE_INFINITY;
            for (int k = 0; k < h; k++) {
                highest = Math.max(highest, c[j * h + k]);
            }
            float sum = 0;
            for (int k = 0; k < h; k++) {
                c[j * h + k] = (float) Math.exp(c[j * h + k] - highest);
                sum += c[j * h + k];
            }
            for (int k = 0; k < h; k++) {
                c[j * h + k] = c[j * h + k] / sum + eps;
            }
        }
        normalise(c, h, 1, h, eps);
        for (int i = 1; i < iterations; i++) {
            normalise(c, h, h, 1, eps);
            normalise(c, h, 1, h, eps);
        }
    }

    /** Divides each of h lines, {@code line} apart, by the sum of its elements, {@code step} apart. */
    private static void normalise(float[] c, int h, int line, int step, float eps) {
        for (int a = 0; a < h; a++) {
            float sum = 0;
            for (int b = 0; b < h; b++) {
                sum += c[a * line + b * step];
            }
            for (int b = 0; b < h; b++) {
                c[a * line + b * step] /= sum + eps;
            }
        }
    }

    private static float sigmoid(float x) {
        return (float) (1 / (1 + Math.exp(-x)));
    }
}
