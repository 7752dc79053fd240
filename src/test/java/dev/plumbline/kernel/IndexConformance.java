package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scores of the lightning indexer. */
interface IndexConformance extends Conformance {

    @ParameterizedTest
    @CsvSource({"1,1,1,8,1", "7,4,32,16,130", "17,17,5,33,64", "3,2,64,128,65", "2,2,3,20,1100", "70,69,2,16,200"})
    default void scoresMatchTheFormula(int t, int scored, int heads, int d, int entries) {
        int pages = (entries + 63) / 64;
        int[] pageIds = Kit.shuffled(3, pages + 2);
        float[] pool = Kit.random(1, (pages + 2L) * 64 * d);
        float[] q = Kit.random(2, (long) t * heads * d);
        float[] w = Kit.random(3, (long) t * heads);
        int[] counts = new int[t];
        for (int i = 0; i < t; i++) {
            counts[i] = i % 5 == 4 ? 0 : Math.max(0, entries - i);
        }
        int rowFrom = t - scored;
        for (DType type : new DType[] {DType.FP32, DType.BF16}) {
            Tensor scores = kit().poisoned(DType.FP32, scored, entries);
            kit().kernels()
                    .indexScores(
                            new Runs(kit()).run(0, 4 * entries, t).batch(),
                            rowFrom,
                            kit().floats(q, t, heads, d),
                            kit().floats(w, t, heads),
                            kit().filled(type, pool, pages + 2, 64, d),
                            kit().ints(pageIds, 1, pages + 2),
                            kit().ints(counts),
                            scores);
            float[] read = kit().read(scores);
            float[] keys = Oracle.as(type, pool);
            float[] query = Oracle.as(type, q);
            for (int i = 0; i < scored; i++) {
                int n = counts[rowFrom + i];
                double[] expected = new double[n];
                for (int e = 0; e < n; e++) {
                    int key = (pageIds[e / 64] * 64 + e % 64) * d;
                    int row = rowFrom + i;
                    expected[e] = Oracle.score(query, row * heads * d, heads, d, w, row * heads, keys, key);
                }
                Kit.assertClose(
                        Arrays.copyOfRange(read, i * entries, i * entries + n),
                        expected,
                        type == DType.FP32 ? Kit.FP32 : Kit.BF16);
                for (int e = n; e < entries; e++) {
                    assertThat(read[i * entries + e])
                            .as("score beyond the count")
                            .isNaN();
                }
            }
        }
    }

    @Test
    default void sequencesReadTheirOwnPages() {
        int d = 16;
        float[] pool = Kit.random(1, 2 * 64 * d);
        float[] q = Kit.random(2, 2 * 3 * d);
        float[] w = Kit.random(3, 6);
        Tensor scores = kit().poisoned(DType.FP32, 4, 2);
        kit().kernels()
                .indexScores(
                        new Runs(kit()).run(0, 9, 1).run(1, 9, 1).padding(2).batch(),
                        0,
                        kit().floats(Arrays.copyOf(q, 12 * d), 4, 3, d),
                        kit().floats(Arrays.copyOf(w, 12), 4, 3),
                        kit().floats(pool, 2, 64, d),
                        kit().ints(new int[] {1, -1, 0, -1, -1, -1}, 3, 2),
                        kit().ints(new int[] {2, 2, 0, 0}),
                        scores);
        double[] expected = new double[4];
        for (int i = 0; i < 4; i++) {
            int key = ((i < 2 ? 64 : 0) + i % 2) * d;
            expected[i] = Oracle.score(q, i / 2 * 3 * d, 3, d, w, i / 2 * 3, pool, key);
        }
        Kit.assertClose(Arrays.copyOf(kit().read(scores), 4), expected, Kit.FP32);
    }

    @Test
    default void negativeProductsCountAsExactlyZero() {
        Tensor scores = kit().poisoned(DType.FP32, 1, 2);
        kit().kernels()
                .indexScores(
                        new Runs(kit()).run(0, 7, 1).batch(),
                        0,
                        kit().floats(new float[] {1, 1, 2, 2}, 1, 2, 2),
                        kit().floats(new float[] {3, 5}, 1, 2),
                        kit().floats(filledWith(-1f, 64 * 2), 1, 64, 2),
                        kit().ints(new int[] {0}, 1, 1),
                        kit().ints(new int[] {2}),
                        scores);
        assertThat(kit().written(scores)).containsOnly(0f);
    }

    private static float[] filledWith(float value, int n) {
        float[] values = new float[n];
        Arrays.fill(values, value);
        return values;
    }

    @Test
    default void notANumberReachesItsOwnScoresOnly() {
        int entries = 100;
        int heads = 3;
        int d = 20;
        for (DType type : new DType[] {DType.FP32, DType.BF16}) {
            float[] pool = Kit.random(1, 2 * 64 * d);
            float[] q = Kit.random(2, 3 * heads * d);
            float[] clean = scoresOf(type, pool, q, heads, d, entries);
            pool[70 * d + 3] = Float.NaN;
            q[2 * heads * d + d] = Float.NaN;
            float[] actual = scoresOf(type, pool, q, heads, d, entries);
            Kit.assertSpoiled(actual, clean, i -> i / entries == 2 || i % entries == 70, "scores of " + type);
        }
    }

    private float[] scoresOf(DType type, float[] pool, float[] q, int heads, int d, int entries) {
        Tensor scores = kit().poisoned(DType.FP32, 3, entries);
        kit().kernels()
                .indexScores(
                        new Runs(kit()).run(0, 4 * entries, 3).batch(),
                        0,
                        kit().floats(q, 3, heads, d),
                        kit().floats(Kit.random(3, 3 * heads), 3, heads),
                        kit().filled(type, pool, 2, 64, d),
                        kit().ints(new int[] {0, 1}, 1, 2),
                        kit().ints(new int[] {entries, entries, entries}),
                        scores);
        return kit().read(scores);
    }
}
