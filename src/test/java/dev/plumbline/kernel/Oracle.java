package dev.plumbline.kernel;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** The formulas of spec section 3 in double precision, as plainly as they can be written. */
final class Oracle {
    private Oracle() {}

    /** Nearest bf16, ties to even, by arithmetic on the significand. */
    static float bf16(float value) {
        if (value == 0 || Float.isNaN(value) || Float.isInfinite(value)) {
            return value;
        }
        double unit = Math.scalb(1.0, Math.max(Math.getExponent(value), Float.MIN_EXPONENT) - 7);
        return (float) (Math.rint(value / unit) * unit);
    }

    static float[] bf16(float[] values) {
        float[] rounded = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            rounded[i] = bf16(values[i]);
        }
        return rounded;
    }

    static float[] as(DType type, float[] values) {
        return type == DType.BF16 ? bf16(values) : values;
    }

    static double[] doubles(float[] values) {
        double[] result = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            result[i] = values[i];
        }
        return result;
    }

    static float[] floats(double[] values) {
        float[] result = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            result[i] = (float) values[i];
        }
        return result;
    }

    static double[] linear(float[] x, float[] w, int t, int k, int n, DType form) {
        float[] a = as(form, x);
        float[] b = as(form, w);
        double[] y = new double[t * n];
        for (int i = 0; i < t; i++) {
            for (int j = 0; j < n; j++) {
                for (int l = 0; l < k; l++) {
                    y[i * n + j] += (double) a[i * k + l] * b[j * k + l];
                }
            }
        }
        return y;
    }

    static double[] rms(double[] x, int d, float[] weight, double eps) {
        double[] y = new double[x.length];
        for (int row = 0; row < x.length; row += d) {
            double sum = 0;
            for (int i = 0; i < d; i++) {
                sum += x[row + i] * x[row + i];
            }
            for (int i = 0; i < d; i++) {
                y[row + i] = x[row + i] / Math.sqrt(sum / d + eps) * (weight == null ? 1 : weight[i]);
            }
        }
        return y;
    }

    /** Rotates the last dims of one vector at a position. */
    static void rotate(double[] x, int at, int d, int position, float[] frequencies, boolean inverse) {
        int start = at + d - 2 * frequencies.length;
        for (int i = 0; i < frequencies.length; i++) {
            double angle = (float) position * frequencies[i];
            double cos = Math.cos(angle);
            double sin = inverse ? -Math.sin(angle) : Math.sin(angle);
            double a = x[start + 2 * i];
            double b = x[start + 2 * i + 1];
            x[start + 2 * i] = a * cos - b * sin;
            x[start + 2 * i + 1] = b * cos + a * sin;
        }
    }

    static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    /** pre (h), post (h), comb (h·h) of one token's flattened streams. */
    static double[] hyper(double[] v, float[] fn, float[] base, float[] scale, int h, HyperWeights w) {
        return hyper(projection(v, fn, base.length, w.normEps()), base, scale, h, w);
    }

    /** The same from the projections. */
    static double[] hyper(double[] m, float[] base, float[] scale, int h, HyperWeights w) {
        double[] result = new double[2 * h + h * h];
        for (int j = 0; j < h; j++) {
            result[j] = sigmoid(m[j] * scale[0] + base[j]) + w.hcEps();
            result[h + j] = 2 * sigmoid(m[h + j] * scale[1] + base[h + j]);
        }
        double[][] c = new double[h][h];
        for (int j = 0; j < h; j++) {
            double sum = 0;
            for (int k = 0; k < h; k++) {
                int i = 2 * h + j * h + k;
                c[j][k] = Math.exp(m[i] * scale[2] + base[i]);
                sum += c[j][k];
            }
            for (int k = 0; k < h; k++) {
                c[j][k] = c[j][k] / sum + w.hcEps();
            }
        }
        for (int i = 0; i < w.iterations(); i++) {
            if (i > 0) {
                for (double[] row : c) {
                    double sum = Arrays.stream(row).sum();
                    for (int k = 0; k < h; k++) {
                        row[k] /= sum + w.hcEps();
                    }
                }
            }
            for (int k = 0; k < h; k++) {
                double sum = 0;
                for (double[] row : c) {
                    sum += row[k];
                }
                for (double[] row : c) {
                    row[k] /= sum + w.hcEps();
                }
            }
        }
        for (int j = 0; j < h; j++) {
            System.arraycopy(c[j], 0, result, 2 * h + j * h, h);
        }
        return result;
    }

    static double[] projection(double[] v, float[] fn, int outputs, double eps) {
        double[] normed = rms(v, v.length, null, eps);
        double[] m = new double[outputs];
        for (int n = 0; n < outputs; n++) {
            for (int i = 0; i < v.length; i++) {
                m[n] += fn[n * v.length + i] * normed[i];
            }
        }
        return m;
    }

    /** Every finished entry of one sequence, [windows][d], from all of its projected rows. */
    static double[][] compress(
            float[] projected,
            int tokens,
            int m,
            boolean overlapping,
            int d,
            float[] ape,
            float[] norm,
            double eps,
            float[] frequencies) {
        int c = overlapping ? 2 : 1;
        double[][] entries = new double[tokens / m][d];
        for (int w = 0; w < entries.length; w++) {
            for (int j = 0; j < d; j++) {
                double total = 0;
                for (int token = Math.max(0, w - c + 1) * m; token < (w + 1) * m; token++) {
                    int series = overlapping && token >= w * m ? 1 : 0;
                    int row = token * 2 * c * d;
                    double gate = projected[row + c * d + series * d + j] + ape[token % m * c * d + series * d + j];
                    total += Math.exp(gate);
                    entries[w][j] += Math.exp(gate) * projected[row + series * d + j];
                }
                entries[w][j] /= total;
            }
            entries[w] = rms(entries[w], d, norm, eps);
            rotate(entries[w], 0, d, w * m, frequencies, false);
        }
        return entries;
    }

    /** Score of one query against one key. */
    static double score(float[] q, int at, int heads, int d, float[] weights, int weightAt, float[] key, int keyAt) {
        double score = 0;
        for (int h = 0; h < heads; h++) {
            double dot = 0;
            for (int i = 0; i < d; i++) {
                dot += (double) q[at + h * d + i] * key[keyAt + i];
            }
            score += weights[weightAt + h] / Math.sqrt(heads) * Math.max(0, dot) / Math.sqrt(d);
        }
        return score;
    }

    /** The highest scores' ids, ascending. */
    static int[] topK(float[] scores, int count, int budget) {
        return IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparing((Integer e) -> -comparable(scores[e]))
                        .thenComparing(e -> e))
                .limit(budget)
                .mapToInt(e -> e)
                .sorted()
                .toArray();
    }

    private static double comparable(float score) {
        return Float.isNaN(score) ? Double.NEGATIVE_INFINITY : score + 0.0;
    }

    /** One head: output (d) and, last, the log of the denominator. */
    static double[] attention(float[] q, int at, int d, float[][] keys, double sink, double scale) {
        double[] logits = new double[keys.length];
        double highest = sink;
        for (int j = 0; j < keys.length; j++) {
            for (int i = 0; i < d; i++) {
                logits[j] += (double) q[at + i] * keys[j][i];
            }
            logits[j] *= scale;
            highest = Math.max(highest, logits[j]);
        }
        double total = Math.exp(sink - highest);
        for (double logit : logits) {
            total += Math.exp(logit - highest);
        }
        double[] out = new double[d + 1];
        for (int j = 0; j < keys.length; j++) {
            for (int i = 0; i < d; i++) {
                out[i] += Math.exp(logits[j] - highest) / total * keys[j][i];
            }
        }
        out[d] = highest + Math.log(total);
        return out;
    }

    static double affinity(double logit) {
        return Math.sqrt(logit > 20 ? logit : Math.log1p(Math.exp(logit)));
    }

    static double swiglu(double gate, double up, double limit) {
        double g = Math.min(gate, limit);
        return g * sigmoid(g) * Math.max(-limit, Math.min(up, limit));
    }

    /** One expert applied to one row. */
    static double[] expert(float[] x, float[] gateUp, float[] down, int d, int inner, double limit, DType form) {
        double[] both = linear(x, gateUp, 1, d, 2 * inner, form);
        float[] h = new float[inner];
        for (int i = 0; i < inner; i++) {
            h[i] = (float) swiglu(both[i], both[inner + i], limit);
        }
        return linear(h, down, 1, inner, d, form);
    }
}
