package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** What the conformance tests share: tensors from arrays, poisoned outputs, comparisons. */
final class Kit {
    /** Bound on the normalised mean squared error of fp32 kernels. */
    static final double FP32 = 1e-10;
    /** Bound where operands or results are rounded to bf16. */
    static final double BF16 = 1e-6;

    private static final int INT_POISON = 0x7f7f7f7f;

    private final Kernels kernels;

    Kit(Kernels kernels) {
        this.kernels = kernels;
    }

    Kernels kernels() {
        return kernels;
    }

    Tensor floats(float[] values, long... shape) {
        return filled(DType.FP32, values, shape);
    }

    Tensor filled(DType type, float[] values, long... shape) {
        Tensor tensor = kernels.allocate(type, shape);
        kernels.upload(values, 0, values.length, tensor, 0);
        return tensor;
    }

    Tensor ints(int[] values, long... shape) {
        Tensor tensor = kernels.allocate(DType.INT32, shape.length == 0 ? new long[] {values.length} : shape);
        kernels.upload(values, 0, values.length, tensor, 0);
        return tensor;
    }

    /** An output full of values that no kernel writes. */
    Tensor poisoned(DType type, long... shape) {
        Tensor tensor = kernels.allocate(type, shape);
        int n = (int) tensor.elements();
        if (type == DType.INT32) {
            int[] values = new int[n];
            Arrays.fill(values, INT_POISON);
            kernels.upload(values, 0, n, tensor, 0);
        } else {
            float[] values = new float[n];
            Arrays.fill(values, Float.NaN);
            kernels.upload(values, 0, n, tensor, 0);
        }
        return tensor;
    }

    float[] read(Tensor tensor) {
        float[] values = new float[(int) tensor.elements()];
        kernels.download(tensor, 0, values, 0, values.length);
        return values;
    }

    /** Reads an output and checks that nothing of the poison is left. */
    float[] written(Tensor tensor) {
        float[] values = read(tensor);
        for (int i = 0; i < values.length; i++) {
            assertThat(values[i]).as("element %d was written", i).isNotNaN();
        }
        return values;
    }

    int[] readInts(Tensor tensor) {
        int[] values = new int[(int) tensor.elements()];
        kernels.download(tensor, 0, values, 0, values.length);
        return values;
    }

    /** Reads an int32 output and checks that nothing of the poison is left. */
    int[] writtenInts(Tensor tensor) {
        int[] values = readInts(tensor);
        assertThat(values).doesNotContain(INT_POISON);
        return values;
    }

    LinearWeight weight(float[] values, int outputs, int inputs, DType form) {
        return kernels.linearWeight(
                (from, target, offset, length) -> System.arraycopy(values, (int) from, target, offset, length),
                outputs,
                inputs,
                form);
    }

    /** Values around 0 with a spread of about 1; the same for the same seed. */
    static float[] random(long seed, long length) {
        Random random = new Random(seed * 7919 + 17);
        float[] values = new float[(int) length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    static float[] scaled(float[] values, float factor) {
        float[] result = values.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] *= factor;
        }
        return result;
    }

    /** A permutation of 0 to n − 1. */
    static int[] shuffled(long seed, int n) {
        int[] values = IntStream.range(0, n).toArray();
        Random random = new Random(seed);
        for (int i = n - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = values[i];
            values[i] = values[j];
            values[j] = swap;
        }
        return values;
    }

    static void assertClose(float[] actual, double[] expected, double bound) {
        assertThat(actual).hasSameSizeAs(expected);
        double error = 0;
        double power = 0;
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).as("element %d", i).isNotNaN();
            error += (actual[i] - expected[i]) * (actual[i] - expected[i]);
            power += expected[i] * expected[i];
        }
        assertThat(error)
                .as("squared error against a squared norm of %s", power)
                .isLessThanOrEqualTo(bound * power);
    }

    static void assertSameBits(float[] actual, float[] expected, String what) {
        assertThat(actual).as(what).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat(Float.floatToIntBits(actual[i]))
                    .as("bits of element %d of %s: %s and %s", i, what, actual[i], expected[i])
                    .isEqualTo(Float.floatToIntBits(expected[i]));
        }
    }

    /** What a NaN reaches is NaN, and everything else has the bits of the clean run. */
    static void assertSpoiled(float[] actual, float[] clean, IntPredicate spoiled, String what) {
        assertThat(actual).as(what).hasSameSizeAs(clean);
        for (int i = 0; i < actual.length; i++) {
            if (spoiled.test(i)) {
                assertThat(actual[i]).as("element %d of %s", i, what).isNaN();
            } else {
                assertThat(Float.floatToIntBits(actual[i]))
                        .as("bits of element %d of %s: %s and %s", i, what, actual[i], clean[i])
                        .isEqualTo(Float.floatToIntBits(clean[i]));
            }
        }
    }
}
