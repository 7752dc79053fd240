package dev.plumbline.kernel;

import dev.plumbline.precision.RoutedScaling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Hyper-connections, linears and experts in their types. Each check returns the variants that it asked. */
final class MixChecks {
    private MixChecks() {}

    static List<Variant> hyper(Kit kit, DType type) {
        int t = 5;
        int h = 4;
        int d = 66;
        float[] streams = Kit.random(1, (long) t * h * d);
        float[] fn = Kit.random(2, (long) (2 + h) * h * h * d);
        float[] base = Kit.random(3, (2 + h) * h);
        float[] scale = {0.1f, -0.3f, 0.7f};
        HyperWeights weights = new HyperWeights(
                kit.filled(type, fn, (2L + h) * h, (long) h * d),
                kit.floats(base, base.length),
                kit.floats(scale, 3),
                20,
                1e-6f,
                1e-6f);
        Tensor post = kit.poisoned(DType.FP32, t, h);
        Tensor comb = kit.poisoned(DType.FP32, t, h, h);
        Tensor collapsed = kit.poisoned(DType.FP32, t, d);
        Variant mix = kit.kernels().mix(kit.floats(streams, t, h, d), weights, post, comb, collapsed);
        double[] expectedPost = new double[t * h];
        double[] expectedComb = new double[t * h * h];
        double[] expected = new double[t * d];
        for (int i = 0; i < t; i++) {
            float[] v = Arrays.copyOfRange(streams, i * h * d, (i + 1) * h * d);
            double[] all = Oracle.hyper(projection(v, fn, base.length, type), base, scale, h, weights);
            System.arraycopy(all, h, expectedPost, i * h, h);
            System.arraycopy(all, 2 * h, expectedComb, i * h * h, h * h);
            for (int j = 0; j < h * d; j++) {
                expected[i * d + j % d] += all[j / d] * v[j];
            }
        }
        Kit.assertClose(kit.written(post), expectedPost, Kit.FP32);
        Kit.assertClose(kit.written(comb), expectedComb, Kit.FP32);
        Kit.assertClose(kit.written(collapsed), expected, Kit.FP32);
        return List.of(mix, collapse(kit, type, streams, t, h, d));
    }

    private static Variant collapse(Kit kit, DType type, float[] streams, int t, int h, int d) {
        float[] fn = Kit.random(5, (long) h * h * d);
        float[] base = Kit.random(6, h);
        HyperWeights weights = new HyperWeights(
                kit.filled(type, fn, h, (long) h * d),
                kit.floats(base, h),
                kit.floats(new float[] {0.4f}, 1),
                1,
                1e-6f,
                1e-6f);
        Tensor collapsed = kit.poisoned(DType.FP32, t, d);
        Variant variant = kit.kernels().collapse(kit.floats(streams, t, h, d), weights, collapsed);
        double[] expected = new double[t * d];
        for (int i = 0; i < t; i++) {
            float[] v = Arrays.copyOfRange(streams, i * h * d, (i + 1) * h * d);
            double[] m = projection(v, fn, h, type);
            for (int j = 0; j < h * d; j++) {
                expected[i * d + j % d] += (Oracle.sigmoid(m[j / d] * 0.4f + base[j / d]) + 1e-6) * v[j];
            }
        }
        Kit.assertClose(kit.written(collapsed), expected, Kit.FP32);
        return variant;
    }

    private static double[] projection(float[] v, float[] fn, int outputs, DType type) {
        double squares = 0;
        for (float value : v) {
            squares += (double) value * value;
        }
        float[] operand = Oracle.as(type, v);
        float[] weights = Oracle.as(type, fn);
        double[] m = new double[outputs];
        for (int n = 0; n < outputs; n++) {
            for (int i = 0; i < v.length; i++) {
                m[n] += (double) weights[n * v.length + i] * operand[i];
            }
            m[n] /= Math.sqrt(squares / v.length + 1e-6f);
        }
        return m;
    }

    static Variant linear(Kit kit, DType form) {
        float[] x = Kit.random(1, 3 * 130);
        float[] w = Kit.random(2, 70 * 130);
        Tensor y = kit.poisoned(DType.FP32, 3, 70);
        Variant variant = kit.kernels().linear(kit.floats(x, 3, 130), kit.weight(w, 70, 130, form), y);
        Kit.assertClose(
                kit.written(y), Oracle.linear(x, w, 3, 130, 70, form), form == DType.FP32 ? Kit.FP32 : Kit.BF16);
        return variant;
    }

    /** Four rows of which one is padding, two experts of three each. */
    static Variant experts(Kit kit, DType form, RoutedScaling scaling) {
        int d = 66;
        int inner = 34;
        float[] x = Kit.random(1, 4L * d);
        float[] y = Kit.random(2, 4L * d);
        float[] weights = Kit.random(3, 8);
        int[] ids = {0, 2, 1, 0, 2, 2, -9, 77};
        List<LinearWeight> gateUp = new ArrayList<>();
        List<LinearWeight> down = new ArrayList<>();
        List<float[]> ups = new ArrayList<>();
        List<float[]> downs = new ArrayList<>();
        for (int e = 0; e < 3; e++) {
            ups.add(Kit.random(100 + e, 2L * inner * d));
            downs.add(Kit.random(200 + e, (long) d * inner));
            gateUp.add(kit.weight(ups.get(e), 2 * inner, d, form));
            down.add(kit.weight(downs.get(e), d, inner, form));
        }
        float factor = scaling == RoutedScaling.SEPARATE ? 2.5f : 1;
        double[] expected = Oracle.doubles(y);
        for (int i = 0; i < 6; i++) {
            int row = i / 2 * d;
            float[] in = Arrays.copyOfRange(x, row, row + d);
            double[] out = Oracle.expert(in, ups.get(ids[i]), downs.get(ids[i]), d, inner, 3, form);
            for (int j = 0; j < d; j++) {
                expected[row + j] += factor * weights[i] * out[j];
            }
        }
        Tensor sum = kit.floats(y, 4, d);
        Variant variant = kit.kernels()
                .experts(
                        new Runs(kit).run(0, 0, 3).padding(1).batch(),
                        kit.floats(x, 4, d),
                        kit.ints(ids, 4, 2),
                        kit.floats(weights, 4, 2),
                        gateUp,
                        down,
                        3,
                        scaling == RoutedScaling.SEPARATE ? factor : null,
                        sum);
        // a hidden value next to a bf16 tie may be rounded the other way by float arithmetic
        Kit.assertClose(kit.written(sum), expected, form == DType.FP32 ? Kit.FP32 : 10 * Kit.BF16);
        return variant;
    }
}
