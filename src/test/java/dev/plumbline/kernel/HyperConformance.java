package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hyper-connections. */
interface HyperConformance extends Conformance {

    @ParameterizedTest
    @CsvSource({"1,4,64,20", "17,4,33,20", "5,2,16,3", "3,1,8,1", "2,4,515,20", "18,9,5,3", "2,64,3,20"})
    default void mixMatchesTheFormula(int t, int h, int d, int iterations) {
        float[] streams = Kit.random(1, (long) t * h * d);
        float[] fn = Kit.random(2, (long) (2 + h) * h * h * d);
        float[] base = Kit.random(3, (2 + h) * h);
        float[] scale = {0.1f, -0.3f, 0.7f};
        HyperWeights weights = new HyperWeights(
                kit().floats(fn, (2L + h) * h, (long) h * d),
                kit().floats(base, base.length),
                kit().floats(scale, 3),
                iterations,
                1e-6f,
                1e-6f);
        Tensor post = kit().poisoned(DType.FP32, t, h);
        Tensor comb = kit().poisoned(DType.FP32, t, h, h);
        Tensor collapsed = kit().poisoned(DType.FP32, t, d);
        kit().kernels().mix(kit().floats(streams, t, h, d), weights, post, comb, collapsed);
        double[] expectedPost = new double[t * h];
        double[] expectedComb = new double[t * h * h];
        double[] expected = new double[t * d];
        for (int i = 0; i < t; i++) {
            double[] v = new double[h * d];
            for (int j = 0; j < v.length; j++) {
                v[j] = streams[i * h * d + j];
            }
            double[] all = Oracle.hyper(v, fn, base, scale, h, weights);
            System.arraycopy(all, h, expectedPost, i * h, h);
            System.arraycopy(all, 2 * h, expectedComb, i * h * h, h * h);
            for (int j = 0; j < h * d; j++) {
                expected[i * d + j % d] += all[j / d] * v[j];
            }
        }
        Kit.assertClose(kit().written(post), expectedPost, Kit.FP32);
        Kit.assertClose(kit().written(comb), expectedComb, Kit.FP32);
        Kit.assertClose(kit().written(collapsed), expected, Kit.FP32);
    }

    @Test
    default void combOfTheSpecificationsExampleComesOut() {
        float[] base = new float[24];
        float[] a = {2, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0.5f, 3, 1, -2, 0, 0};
        System.arraycopy(a, 0, base, 8, 16);
        HyperWeights weights = new HyperWeights(
                kit().floats(new float[24 * 8], 24, 8),
                kit().floats(base, 24),
                kit().floats(new float[] {1, 1, 1}, 3),
                20,
                1e-6f,
                1e-6f);
        Tensor post = kit().poisoned(DType.FP32, 1, 4);
        Tensor comb = kit().poisoned(DType.FP32, 1, 4, 4);
        Tensor collapsed = kit().poisoned(DType.FP32, 1, 2);
        kit().kernels().mix(kit().floats(Kit.random(1, 8), 1, 4, 2), weights, post, comb, collapsed);
        float[] expected = {
            .511562f, .204605f, .203713f, .080119f, .080635f, .647771f, .237264f, .034329f, .031201f, .092210f,
            .151365f, .725223f, .376600f, .055413f, .407657f, .160328f
        };
        assertThat(kit().written(comb)).containsExactly(expected, Offset.offset(2e-6f));
        assertThat(kit().written(post)).containsOnly(1f);
    }

    @ParameterizedTest
    @CsvSource({"1,4,64", "17,4,33", "5,2,515", "3,1,8", "2,9,20", "3,64,21"})
    default void unmixUsesCombTransposed(int t, int h, int d) {
        float[] streams = Kit.random(1, (long) t * h * d);
        float[] y = Kit.random(2, (long) t * d);
        float[] post = Kit.random(3, (long) t * h);
        float[] comb = Kit.random(4, (long) t * h * h);
        double[] expected = new double[t * h * d];
        for (int i = 0; i < t; i++) {
            for (int k = 0; k < h; k++) {
                for (int c = 0; c < d; c++) {
                    double sum = (double) post[i * h + k] * y[i * d + c];
                    for (int j = 0; j < h; j++) {
                        sum += (double) comb[(i * h + j) * h + k] * streams[(i * h + j) * d + c];
                    }
                    expected[(i * h + k) * d + c] = sum;
                }
            }
        }
        Tensor target = kit().floats(streams, t, h, d);
        kit().kernels().unmix(kit().floats(y, t, d), kit().floats(post, t, h), kit().floats(comb, t, h, h), target);
        Kit.assertClose(kit().written(target), expected, Kit.FP32);
    }

    @ParameterizedTest
    @CsvSource({"1,4,64", "17,2,33", "3,1,8", "2,9,20", "3,64,5"})
    default void collapseWeighsTheStreams(int n, int h, int d) {
        float[] streams = Kit.random(1, (long) n * h * d);
        float[] fn = Kit.random(2, (long) h * h * d);
        float[] base = Kit.random(3, h);
        float[] scale = {0.4f};
        HyperWeights weights = new HyperWeights(
                kit().floats(fn, h, (long) h * d), kit().floats(base, h), kit().floats(scale, 1), 1, 1e-6f, 1e-6f);
        double[] expected = new double[n * d];
        for (int i = 0; i < n; i++) {
            double[] v = new double[h * d];
            for (int j = 0; j < v.length; j++) {
                v[j] = streams[i * h * d + j];
            }
            double[] m = Oracle.projection(v, fn, h, 1e-6f);
            for (int j = 0; j < h * d; j++) {
                expected[i * d + j % d] += (Oracle.sigmoid(m[j / d] * scale[0] + base[j / d]) + 1e-6f) * v[j];
            }
        }
        Tensor collapsed = kit().poisoned(DType.FP32, n, d);
        kit().kernels().collapse(kit().floats(streams, n, h, d), weights, collapsed);
        Kit.assertClose(kit().written(collapsed), expected, Kit.FP32);
    }

    @Test
    default void notANumberSpoilsItsOwnRowOnly() {
        int h = 4;
        int d = 33;
        float[] streams = Kit.random(1, 19 * h * d);
        float[][] clean = mixed(streams, 19, h, d);
        streams[7 * h * d + 5] = Float.NaN;
        float[][] actual = mixed(streams, 19, h, d);
        int[] widths = {h, h * h, d};
        for (int output = 0; output < 3; output++) {
            int width = widths[output];
            Kit.assertSpoiled(actual[output], clean[output], i -> i / width == 7, "output " + output);
        }
    }

    private float[][] mixed(float[] streams, int t, int h, int d) {
        int outputs = (2 + h) * h;
        HyperWeights weights = new HyperWeights(
                kit().floats(Kit.random(2, (long) outputs * h * d), outputs, h * d),
                kit().floats(Kit.random(3, outputs), outputs),
                kit().floats(new float[] {0.1f, -0.3f, 0.7f}, 3),
                20,
                1e-6f,
                1e-6f);
        Tensor post = kit().poisoned(DType.FP32, t, h);
        Tensor comb = kit().poisoned(DType.FP32, t, h, h);
        Tensor collapsed = kit().poisoned(DType.FP32, t, d);
        kit().kernels().mix(kit().floats(streams, t, h, d), weights, post, comb, collapsed);
        return new float[][] {kit().read(post), kit().read(comb), kit().read(collapsed)};
    }
}
