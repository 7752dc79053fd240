package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Angles, rotation and window keys. */
interface RotationConformance extends Conformance {
    /** Frequencies like those of a rotation base of 10000. */
    static float[] frequencies(int pairs) {
        float[] result = new float[pairs];
        for (int i = 0; i < pairs; i++) {
            result[i] = (float) Math.pow(10000, -(double) i / Math.max(1, pairs));
        }
        return result;
    }

    @Test
    default void anglesAreFloatProductsOfPositionAndFrequency() {
        float[] frequencies = RotationConformance.frequencies(5);
        Batch batch = new Runs(kit()).run(0, 0, 3).run(1, 1_000_000, 2).batch();
        Tensor table = kit().poisoned(DType.FP32, 5, 10);
        kit().kernels().angles(batch, kit().floats(frequencies, 5), table);
        float[] read = kit().written(table);
        int[] positions = {0, 1, 2, 1_000_000, 1_000_001};
        for (int t = 0; t < 5; t++) {
            for (int i = 0; i < 5; i++) {
                float angle = positions[t] * frequencies[i];
                assertThat((double) read[t * 10 + 2 * i]).isCloseTo(Math.cos(angle), within(2e-7));
                assertThat((double) read[t * 10 + 2 * i + 1]).isCloseTo(Math.sin(angle), within(2e-7));
            }
        }
    }

    private static org.assertj.core.data.Offset<Double> within(double value) {
        return org.assertj.core.data.Offset.offset(value);
    }

    @ParameterizedTest
    @CsvSource({"1,1,2,1", "5,3,16,4", "17,2,30,8", "3,4,8,4", "4,5,7,1"})
    default void ropeRotatesInterleavedPairsOfTheLastDims(int t, int heads, int d, int pairs) {
        float[] frequencies = RotationConformance.frequencies(pairs);
        Batch batch = new Runs(kit()).run(0, 71, t).batch();
        Tensor table = kit().poisoned(DType.FP32, t, 2L * pairs);
        kit().kernels().angles(batch, kit().floats(frequencies, pairs), table);
        float[] x = Kit.random(1, (long) t * heads * d);
        for (boolean inverse : new boolean[] {false, true}) {
            double[] expected = Oracle.doubles(x);
            for (int i = 0; i < t * heads; i++) {
                Oracle.rotate(expected, i * d, d, 71 + i / heads, frequencies, inverse);
            }
            Tensor rotated = kit().floats(x, t, heads, d);
            kit().kernels().rope(rotated, table, inverse);
            float[] read = kit().written(rotated);
            Kit.assertClose(read, expected, Kit.FP32);
            for (int i = 0; i < t * heads; i++) {
                int plain = d - 2 * pairs;
                assertThat(Arrays.copyOfRange(read, i * d, i * d + plain))
                        .containsExactly(Arrays.copyOfRange(x, i * d, i * d + plain));
            }
        }
    }

    @Test
    default void theInverseUndoesTheRotation() {
        Batch batch = new Runs(kit()).run(0, 12345, 9).batch();
        Tensor table = kit().poisoned(DType.FP32, 9, 8);
        kit().kernels().angles(batch, kit().floats(RotationConformance.frequencies(4), 4), table);
        float[] x = Kit.random(1, 9 * 3 * 16);
        Tensor rotated = kit().floats(x, 9, 3, 16);
        kit().kernels().rope(rotated, table, false);
        assertThat(kit().read(rotated)).isNotEqualTo(x);
        kit().kernels().rope(rotated, table, true);
        Kit.assertClose(kit().written(rotated), Oracle.doubles(x), Kit.FP32);
    }

    @ParameterizedTest
    @CsvSource({"1,16,4", "17,33,3", "5,64,32"})
    default void windowKeysAreNormedRotatedAndRounded(int t, int d, int pairs) {
        float[] frequencies = RotationConformance.frequencies(pairs);
        Batch batch = new Runs(kit()).run(0, 300, t).batch();
        Tensor table = kit().poisoned(DType.FP32, t, 2L * pairs);
        kit().kernels().angles(batch, kit().floats(frequencies, pairs), table);
        float[] x = Kit.random(1, (long) t * d);
        float[] weight = Kit.random(2, d);
        double[] expected = Oracle.rms(Oracle.doubles(x), d, weight, 1e-6f);
        for (int i = 0; i < t; i++) {
            Oracle.rotate(expected, i * d, d, 300 + i, frequencies, false);
        }
        for (DType type : List.of(DType.FP32, DType.BF16)) {
            Tensor out = kit().poisoned(type, t, d);
            kit().kernels().windowKeys(kit().floats(x, t, d), kit().floats(weight, d), 1e-6f, table, out);
            float[] read = kit().written(out);
            if (type == DType.FP32) {
                Kit.assertClose(read, expected, Kit.FP32);
            } else {
                assertRounded(read, expected);
            }
        }
    }

    /** Each value is one of the two bf16 neighbours of the expected one, nearly always the nearest. */
    static void assertRounded(float[] actual, double[] expected) {
        int other = 0;
        for (int i = 0; i < actual.length; i++) {
            assertThat(Oracle.bf16(actual[i])).isEqualTo(actual[i]);
            double step = Math.scalb(1.0, Math.getExponent((float) expected[i]) - 7);
            assertThat(Math.abs(actual[i] - expected[i])).as("element %d", i).isLessThanOrEqualTo(0.501 * step + 1e-30);
            other += actual[i] == Oracle.bf16((float) expected[i]) ? 0 : 1;
        }
        assertThat(other).as("values rounded the other way").isLessThanOrEqualTo(1 + actual.length / 100);
    }
}
