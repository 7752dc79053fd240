package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Attention over window, entries and sink. */
interface AttentionConformance extends Conformance {
    float SCALE = 0.3f;

    /** One sequence with random queries, keys and entries. */
    record Scene(int tokens, int heads, int d, int window, int entries, int budget, DType type) {
        float[] q() {
            return Kit.random(1, (long) tokens * heads * d);
        }

        float[] keys() {
            return Oracle.as(type, Kit.random(2, (long) tokens * d));
        }

        float[] pool() {
            return Oracle.as(type, Kit.random(3, (pageIds().length + 1L) * 64 * d));
        }

        int[] pageIds() {
            return Kit.shuffled(7, (entries + 63) / 64 + 1);
        }

        float[] sinks() {
            return Kit.random(5, heads);
        }

        int count(int token) {
            return Math.min(budget, (token * 7 + 3) % (entries + 1));
        }

        /** Ids of a row, ascending. */
        int[] ids(int token) {
            int[] chosen = Arrays.copyOf(Kit.shuffled(token, entries), count(token));
            Arrays.sort(chosen);
            return chosen;
        }

        int[] paddedIds(int from, int to) {
            int[] all = new int[(to - from) * budget];
            Arrays.fill(all, -1);
            for (int t = from; t < to; t++) {
                System.arraycopy(ids(t), 0, all, (t - from) * budget, count(t));
            }
            return all;
        }

        float[] key(float[] pool, int entry) {
            int at = (pageIds()[entry / 64] * 64 + entry % 64) * d;
            return Arrays.copyOfRange(pool, at, at + d);
        }

        /** Outputs, then log-sum-exps. */
        double[][] expected() {
            double[] out = new double[tokens * heads * d];
            double[] logs = new double[tokens * heads];
            float[] pool = pool();
            float[] q = q();
            float[] keys = keys();
            float[] sinks = sinks();
            for (int t = 0; t < tokens; t++) {
                int first = Math.max(0, t - window + 1);
                float[][] all = new float[t - first + 1 + (entries == 0 ? 0 : count(t))][];
                int n = 0;
                for (int token = first; token <= t; token++) {
                    all[n++] = Arrays.copyOfRange(keys, token * d, token * d + d);
                }
                if (entries > 0) {
                    for (int e : ids(t)) {
                        all[n++] = key(pool, e);
                    }
                }
                for (int h = 0; h < heads; h++) {
                    double[] one = Oracle.attention(q, (t * heads + h) * d, d, all, sinks[h], SCALE);
                    System.arraycopy(one, 0, out, (t * heads + h) * d, d);
                    logs[t * heads + h] = one[d];
                }
            }
            return new double[][] {out, logs};
        }

        /** Runs the sequence in chunks of the given lengths, the last one repeated. */
        float[][] run(Kit kit, int... chunks) {
            float[] out = new float[tokens * heads * d];
            float[] logs = new float[tokens * heads];
            Tensor ring = kit.poisoned(type, 2, window, d);
            Tensor pool = kit.filled(type, pool(), pageIds().length + 1, 64, d);
            int chunk = 0;
            for (int from = 0; from < tokens; chunk++) {
                int to = Math.min(tokens, from + chunks[Math.min(chunk, chunks.length - 1)]);
                Batch batch = new Runs(kit).run(1, from, to - from).batch();
                Tensor keys = kit.filled(type, Arrays.copyOfRange(keys(), from * d, to * d), to - from, d);
                Tensor result = kit.poisoned(DType.FP32, to - from, heads, d);
                Tensor denominators = kit.poisoned(DType.FP32, to - from, heads);
                kit.kernels()
                        .attention(
                                batch,
                                kit.floats(
                                        Arrays.copyOfRange(q(), from * heads * d, to * heads * d), to - from, heads, d),
                                keys,
                                ring,
                                entriesOf(kit, pool, from, to),
                                kit.floats(sinks(), heads),
                                SCALE,
                                result,
                                denominators);
                kit.kernels().appendRing(batch, keys, ring);
                System.arraycopy(kit.written(result), 0, out, from * heads * d, (to - from) * heads * d);
                System.arraycopy(kit.written(denominators), 0, logs, from * heads, (to - from) * heads);
                from = to;
            }
            return new float[][] {out, logs};
        }

        private Entries entriesOf(Kit kit, Tensor pool, int from, int to) {
            if (entries == 0) {
                return null;
            }
            return new Entries(
                    pool,
                    kit.ints(pageIds(), 1, pageIds().length),
                    kit.ints(paddedIds(from, to), to - from, budget),
                    kit.ints(IntStream.range(from, to).map(this::count).toArray()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1,1,8,8,0,1",
        "30,2,16,8,0,1",
        "17,4,32,8,75,8",
        "5,8,33,16,130,130",
        "9,3,64,1,20,7",
        "20,64,24,128,64,64",
        "3,2,515,4,70,64"
    })
    default void outputsAndDenominatorsMatchTheFormula(
            int tokens, int heads, int d, int window, int entries, int budget) {
        for (DType type : new DType[] {DType.FP32, DType.BF16}) {
            Scene scene = new Scene(tokens, heads, d, window, entries, budget, type);
            float[][] actual = scene.run(kit(), tokens);
            double[][] expected = scene.expected();
            double bound = type == DType.FP32 ? Kit.FP32 : Kit.BF16;
            Kit.assertClose(actual[0], expected[0], bound);
            Kit.assertClose(actual[1], expected[1], bound);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FP32", "BF16"})
    default void attentionDoesNotDependOnTheCutting(DType type) {
        Scene scene = new Scene(41, 3, 24, 8, 90, 12, type);
        float[][] whole = scene.run(kit(), 41);
        for (int[] chunks : new int[][] {{1}, {2}, {7}, {8}, {9}, {20, 1}, {1, 3, 17, 5}}) {
            float[][] cut = scene.run(kit(), chunks);
            Kit.assertSameBits(cut[0], whole[0], "output cut in " + Arrays.toString(chunks));
            Kit.assertSameBits(cut[1], whole[1], "denominators cut in " + Arrays.toString(chunks));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FP32", "BF16"})
    default void allEntriesEqualExplicitIdsOfAll(DType type) {
        int count = 70;
        int d = 24;
        Batch batch = new Runs(kit()).run(0, 3, 2).batch();
        Tensor pool = kit().filled(type, Kit.random(1, 2 * 64 * d), 2, 64, d);
        Tensor pages = kit().ints(new int[] {1, 0}, 1, 2);
        Tensor counts = kit().ints(new int[] {count, 5});
        int[] ids = new int[2 * count];
        Arrays.fill(ids, -1);
        for (int e = 0; e < count; e++) {
            ids[e] = e;
            ids[count + e] = e < 5 ? e : -1;
        }
        Entries all = new Entries(pool, pages, null, counts);
        Entries explicit = new Entries(pool, pages, kit().ints(ids, 2, count), counts);
        Kit.assertSameBits(attend(batch, type, 3, d, all), attend(batch, type, 3, d, explicit), "outputs");
    }

    private float[] attend(Batch batch, DType type, int heads, int d, Entries entries) {
        Tensor out = kit().poisoned(DType.FP32, batch.rows(), heads, d);
        kit().kernels()
                .attention(
                        batch,
                        kit().floats(Kit.random(1, (long) batch.rows() * heads * d), batch.rows(), heads, d),
                        kit().filled(type, Kit.random(2, (long) batch.rows() * d), batch.rows(), d),
                        kit().filled(type, Kit.random(3, 4L * d), 1, 4, d),
                        entries,
                        kit().floats(Kit.random(4, heads), heads),
                        SCALE,
                        out,
                        null);
        return kit().read(out);
    }

    @Test
    default void noEntriesEqualAnEmptySelection() {
        Batch batch = new Runs(kit()).run(0, 3, 2).batch();
        Tensor pool = kit().floats(Kit.random(1, 64 * 24), 1, 64, 24);
        Entries empty = new Entries(
                pool, kit().ints(new int[] {-1}, 1, 1), kit().ints(new int[] {-1, -1}, 2, 1), kit().ints(new int[2]));
        Kit.assertSameBits(attend(batch, DType.FP32, 3, 24, empty), attend(batch, DType.FP32, 3, 24, null), "outputs");
    }

    @Test
    default void aSinkJoinsOnlyTheDenominator() {
        int d = 8;
        float[] key = Kit.random(1, d);
        Batch batch = new Runs(kit()).run(0, 0, 1).batch();
        Tensor out = kit().poisoned(DType.FP32, 1, 3, d);
        Tensor logs = kit().poisoned(DType.FP32, 1, 3);
        kit().kernels()
                .attention(
                        batch,
                        kit().floats(new float[3 * d], 1, 3, d),
                        kit().floats(key, 1, d),
                        kit().kernels().allocate(DType.FP32, 1, 4, d),
                        null,
                        kit().floats(new float[] {0, -1000, 500}, 3),
                        SCALE,
                        out,
                        logs);
        double[] expected = new double[3 * d];
        for (int i = 0; i < d; i++) {
            expected[i] = key[i] / 2;
            expected[d + i] = key[i];
        }
        Kit.assertClose(kit().written(out), expected, Kit.FP32);
        Kit.assertClose(kit().written(logs), new double[] {Math.log(2), 0, 500}, Kit.FP32);
    }

    @Test
    default void largeLogitsDoNotOverflow() {
        int d = 8;
        float[] q = Kit.scaled(Kit.random(1, d), 1000);
        Batch batch = new Runs(kit()).run(0, 0, 2).batch();
        float[] keys = new float[2 * d];
        System.arraycopy(q, 0, keys, 0, d);
        Tensor out = kit().poisoned(DType.FP32, 2, 1, d);
        float[] queries = Arrays.copyOf(q, 2 * d);
        System.arraycopy(q, 0, queries, d, d);
        kit().kernels()
                .attention(
                        batch,
                        kit().floats(queries, 2, 1, d),
                        kit().floats(keys, 2, d),
                        kit().kernels().allocate(DType.FP32, 1, 4, d),
                        null,
                        kit().floats(new float[] {0}, 1),
                        1,
                        out,
                        null);
        double[] expected = new double[2 * d];
        for (int i = 0; i < 2 * d; i++) {
            expected[i] = q[i % d];
        }
        Kit.assertClose(kit().written(out), expected, Kit.FP32);
    }

    @Test
    default void sequencesOfOneStepReadTheirOwnRingsAndPages() {
        int d = 16;
        int heads = 2;
        float[] q = Kit.random(1, 5 * heads * d);
        float[] keys = Kit.random(2, 5 * d);
        float[] ring = Kit.random(3, 3 * 4 * d);
        float[] pool = Kit.random(4, 2 * 64 * d);
        Batch batch = new Runs(kit()).run(2, 5, 2).run(0, 9, 1).padding(2).batch();
        Tensor out = kit().poisoned(DType.FP32, 5, heads, d);
        Tensor counts = kit().ints(new int[] {1, 1, 2, 99, -5});
        Entries entries = new Entries(
                kit().floats(pool, 2, 64, d),
                kit().ints(new int[] {1, 0, -1}, 3, 1),
                kit().ints(new int[] {0, -1, 1, -1, 0, 3, 77, 88, 99, 99}, 5, 2),
                counts);
        kit().kernels()
                .attention(
                        batch,
                        kit().floats(q, 5, heads, d),
                        kit().floats(keys, 5, d),
                        kit().floats(ring, 3, 4, d),
                        entries,
                        kit().floats(new float[heads], heads),
                        SCALE,
                        out,
                        null);
        float[] read = kit().read(out);
        float[][] second = {row(ring, 8 + 3, d), row(ring, 8, d), row(keys, 0, d), row(keys, 1, d), row(pool, 65, d)};
        float[][] third = {
            row(ring, 6 % 4, d),
            row(ring, 7 % 4, d),
            row(ring, 8 % 4, d),
            row(keys, 2, d),
            row(pool, 0, d),
            row(pool, 3, d)
        };
        for (int h = 0; h < heads; h++) {
            assertHead(read, q, 1, h, heads, d, second);
            assertHead(read, q, 2, h, heads, d, third);
        }
        assertThat(read).hasSize(5 * heads * d);
    }

    private static float[] row(float[] rows, int index, int d) {
        return Arrays.copyOfRange(rows, index * d, index * d + d);
    }

    private static void assertHead(float[] read, float[] q, int t, int h, int heads, int d, float[][] keys) {
        int at = (t * heads + h) * d;
        double[] expected = Arrays.copyOf(Oracle.attention(q, at, d, keys, 0, SCALE), d);
        Kit.assertClose(Arrays.copyOfRange(read, at, at + d), expected, Kit.FP32);
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FP32", "BF16"})
    default void notANumberReachesOnlyTheRowsThatReadIt(DType type) {
        int heads = 3;
        int d = 24;
        int row = heads * d;
        float[] q = Kit.random(1, 40L * row);
        float[] keys = Kit.random(2, 40L * d);
        float[] pool = Kit.random(3, 64L * d);
        float[][] clean = attendAll(type, q, keys, pool, heads, d);
        float[] spoiltQuery = q.clone();
        spoiltQuery[9 * row + d] = Float.NaN;
        float[][] actual = attendAll(type, spoiltQuery, keys, pool, heads, d);
        Kit.assertSpoiled(actual[0], clean[0], i -> i / d == 9 * heads + 1, "output of a spoilt query");
        Kit.assertSpoiled(actual[1], clean[1], i -> i == 9 * heads + 1, "denominator of a spoilt query");
        float[] spoiltKeys = keys.clone();
        spoiltKeys[11 * d + 7] = Float.NaN;
        actual = attendAll(type, q, spoiltKeys, pool, heads, d);
        Kit.assertSpoiled(actual[0], clean[0], i -> i / row >= 11 && i / row < 15, "output of a spoilt key");
        Kit.assertSpoiled(actual[1], clean[1], i -> i / heads >= 11 && i / heads < 15, "denominator of a spoilt key");
        float[] spoiltPool = pool.clone();
        spoiltPool[21 * d] = Float.NaN;
        actual = attendAll(type, q, keys, spoiltPool, heads, d);
        Kit.assertSpoiled(actual[0], clean[0], i -> i / row >= 20 && i / row < 22, "output of a spoilt entry");
    }

    /** Forty rows with a window of four; row t also reads entries t and t + 1. */
    private float[][] attendAll(DType type, float[] q, float[] keys, float[] pool, int heads, int d) {
        Tensor out = kit().poisoned(DType.FP32, 40, heads, d);
        Tensor logs = kit().poisoned(DType.FP32, 40, heads);
        kit().kernels()
                .attention(
                        new Runs(kit()).run(0, 0, 40).batch(),
                        kit().floats(q, 40, heads, d),
                        kit().filled(type, keys, 40, d),
                        kit().kernels().allocate(type, 1, 4, d),
                        new Entries(
                                kit().filled(type, pool, 1, 64, d),
                                kit().ints(new int[] {0}, 1, 1),
                                kit().ints(
                                                IntStream.range(0, 80)
                                                        .map(i -> i / 2 + i % 2)
                                                        .toArray(),
                                                40,
                                                2),
                                kit().ints(IntStream.generate(() -> 2).limit(40).toArray())),
                        kit().floats(Kit.random(4, heads), heads),
                        SCALE,
                        out,
                        logs);
        return new float[][] {kit().read(out), kit().read(logs)};
    }
}
