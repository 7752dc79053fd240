package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.precision.TopkAlgorithm;
import java.util.Arrays;

/** Selections that inexact kernels get wrong: crowded bins, flat rows, rows of every length in one call. */
final class SelectionChecks {
    private SelectionChecks() {}

    static Variant hard(Kit kit, TopkAlgorithm algorithm) {
        // thousands of scores that a half-precision histogram cannot tell apart
        float[] crowded = row(20_000, i -> 1 + (i * 7919 % 20_000) * 0x1p-23f);
        check(kit, algorithm, new float[][] {crowded}, new int[] {20_000}, 512);
        // near-equal scores, then three larger ones at the end
        float[] late = row(5003, i -> i < 5000 ? 0.5f + i % 3 * 0x1p-24f : 1 + i);
        check(kit, algorithm, new float[][] {late}, new int[] {5003}, 192);
        // rows that rise and fall all the way
        for (int length : new int[] {16_384, 16_448}) {
            float[] rising = row(length, i -> i * 0.25f);
            float[] falling = row(length, i -> -i * 0.25f);
            check(kit, algorithm, new float[][] {rising, falling}, new int[] {length, length}, 1000);
        }
        // nothing but zeros, infinities or NaN
        float[] infinite = new float[3000];
        Arrays.fill(infinite, Float.NEGATIVE_INFINITY);
        float[] none = new float[3000];
        Arrays.fill(none, Float.NaN);
        float[] mixed = row(3000, i -> i % 3 == 0 ? Float.POSITIVE_INFINITY : i % 3 == 1 ? Float.NaN : 0);
        check(
                kit,
                algorithm,
                new float[][] {infinite, none, mixed, new float[3000]},
                new int[] {3000, 3000, 3000, 3000},
                768);
        // a hundred rows of different lengths in one call, around the budget
        float[][] rows = new float[100][];
        int[] counts = new int[100];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Kit.random(i, 300);
            counts[i] = i < 10 ? 62 + i : i * 3;
        }
        return check(kit, algorithm, rows, counts, 64);
    }

    private interface Score {
        float of(int entry);
    }

    private static float[] row(int length, Score score) {
        float[] row = new float[length];
        for (int i = 0; i < length; i++) {
            row[i] = score.of(i);
        }
        return row;
    }

    private static Variant check(Kit kit, TopkAlgorithm algorithm, float[][] rows, int[] counts, int budget) {
        int width = rows[0].length;
        float[] flat = new float[rows.length * width];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, flat, i * width, width);
        }
        Tensor ids = kit.poisoned(DType.INT32, rows.length, budget);
        Tensor found = kit.poisoned(DType.INT32, rows.length);
        Variant variant =
                kit.kernels().topK(kit.floats(flat, rows.length, width), kit.ints(counts), algorithm, ids, found);
        int[] chosen = kit.writtenInts(ids);
        int[] numbers = kit.writtenInts(found);
        for (int i = 0; i < rows.length; i++) {
            int n = Math.min(counts[i], budget);
            int[] expected = Arrays.copyOf(Oracle.topK(rows[i], counts[i], budget), budget);
            Arrays.fill(expected, n, budget, -1);
            assertThat(numbers[i]).as("number of ids in row %d", i).isEqualTo(n);
            assertThat(Arrays.copyOfRange(chosen, i * budget, (i + 1) * budget))
                    .as("row %d of %d candidates, budget %d", i, counts[i], budget)
                    .containsExactly(expected);
        }
        return variant;
    }
}
