package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.precision.TopkAlgorithm;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Top-k: exact sets, ascending, for any budget and any pattern of ties. */
interface SelectionConformance extends Conformance {
    float INFINITE = Float.POSITIVE_INFINITY;

    /** Selects every row and compares with a full sort. */
    default void check(TopkAlgorithm algorithm, float[][] rows, int[] counts, int budget) {
        int width = rows[0].length;
        float[] flat = new float[rows.length * width];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, flat, i * width, width);
        }
        Tensor scores = kit().floats(flat, rows.length, width);
        Tensor ids = kit().poisoned(DType.INT32, rows.length, budget);
        Tensor found = kit().poisoned(DType.INT32, rows.length);
        Variant variant = kit().kernels().topK(scores, kit().ints(counts), algorithm, ids, found);
        assertThat(variant.id()).isNotBlank();
        int[] chosen = kit().writtenInts(ids);
        int[] numbers = kit().writtenInts(found);
        for (int i = 0; i < rows.length; i++) {
            int n = Math.min(counts[i], budget);
            int[] expected = Arrays.copyOf(Oracle.topK(rows[i], counts[i], budget), budget);
            Arrays.fill(expected, n, budget, -1);
            assertThat(numbers[i]).as("number of ids in row %d", i).isEqualTo(n);
            assertThat(Arrays.copyOfRange(chosen, i * budget, (i + 1) * budget))
                    .as("row %d of %d candidates, budget %d", i, counts[i], budget)
                    .containsExactly(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(TopkAlgorithm.class)
    default void lengthsAroundTheBudgetAreExact(TopkAlgorithm algorithm) {
        for (int k : new int[] {1, 2, 8, 63, 64, 65, 512}) {
            int width = k + 70;
            int[] counts = {0, Math.max(0, k - 1), k, k + 1, width, 1};
            float[][] rows = new float[counts.length][];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = Kit.random(i + 31L * k, width);
            }
            check(algorithm, rows, counts, k);
        }
    }

    @ParameterizedTest
    @EnumSource(TopkAlgorithm.class)
    default void budgetsBeyondTheRowAreFilledUp(TopkAlgorithm algorithm) {
        check(algorithm, new float[][] {Kit.random(1, 5), Kit.random(2, 5)}, new int[] {5, 3}, 17);
    }

    @ParameterizedTest
    @EnumSource(TopkAlgorithm.class)
    default void longRowsAreExact(TopkAlgorithm algorithm) {
        check(
                algorithm,
                new float[][] {Kit.random(1, 70_001), Kit.random(2, 70_001)},
                new int[] {70_001, 65_537},
                2048);
    }

    @ParameterizedTest
    @EnumSource(TopkAlgorithm.class)
    default void tiesGoToTheLowerId(TopkAlgorithm algorithm) {
        Random random = new Random(5);
        float[][] rows = new float[6][300];
        int[] counts = new int[6];
        for (int i = 0; i < rows.length; i++) {
            for (int e = 0; e < 300; e++) {
                rows[i][e] = random.nextInt(i + 1) * 0.25f - 0.5f;
            }
            counts[i] = 300 - i;
        }
        for (int budget : new int[] {1, 7, 100, 299, 300}) {
            check(algorithm, rows, counts, budget);
        }
    }

    @ParameterizedTest
    @EnumSource(TopkAlgorithm.class)
    default void scoresThatDifferInTheLastBitAreTold(TopkAlgorithm algorithm) {
        float[] up = new float[200];
        float[] around = new float[200];
        for (int e = 0; e < 200; e++) {
            up[e] = Float.intBitsToFloat(Float.floatToIntBits(1.5f) + (e * 37) % 200);
            around[e] = Float.intBitsToFloat(e % 2 == 0 ? (e * 37) % 200 : 0x80000000 | (e * 37) % 200);
        }
        for (int budget : new int[] {1, 50, 101, 199}) {
            check(algorithm, new float[][] {up, around}, new int[] {200, 200}, budget);
        }
    }

    @ParameterizedTest
    @EnumSource(TopkAlgorithm.class)
    default void negativeZeroEqualsZero(TopkAlgorithm algorithm) {
        float[] row = {-0f, 0f, -0f, 0f, -1f, Float.MIN_VALUE, -Float.MIN_VALUE, 0f};
        for (int budget = 1; budget <= 8; budget++) {
            check(algorithm, new float[][] {row}, new int[] {8}, budget);
        }
    }

    @ParameterizedTest
    @EnumSource(TopkAlgorithm.class)
    default void notANumberCountsAsMinusInfinity(TopkAlgorithm algorithm) {
        float negative = Float.intBitsToFloat(0xffc00001);
        float[] row = {Float.NaN, -INFINITE, 3f, negative, -1e38f, INFINITE, -INFINITE, Float.NaN, INFINITE};
        for (int budget = 1; budget <= 10; budget++) {
            check(algorithm, new float[][] {row}, new int[] {9}, budget);
        }
        float[] none = new float[40];
        Arrays.fill(none, -INFINITE);
        Arrays.fill(none, 10, 20, Float.NaN);
        check(algorithm, new float[][] {none}, new int[] {40}, 15);
    }

    @ParameterizedTest
    @EnumSource(TopkAlgorithm.class)
    default void scoresBeyondTheCountAreIgnored(TopkAlgorithm algorithm) {
        float[] row = Kit.random(1, 100);
        Arrays.fill(row, 60, 100, INFINITE);
        check(algorithm, new float[][] {row, row}, new int[] {60, 61}, 10);
    }
}
