package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.StorageType;
import java.util.Arrays;

/** Scores of stored keys in every format. Each check returns the variant that it asked. */
final class ScoreChecks {
    private static final int HEADS = 5;
    private static final int D = 64;
    private static final int ENTRIES = 200;
    private static final int ROWS = 7;
    private static final int[] PAGES = {6, 1, 4, 0};

    private ScoreChecks() {}

    /** Keys of one sequence, stored page by page under scattered page ids. */
    static Pool keys(Kit kit, StorageType type, float[][] rows, int[] pageIds, int pages) {
        PageFormat format = PageFormat.indexKeys(type, rows[0].length);
        Pool pool = Pool.allocate(kit.kernels(), format, pages);
        for (int from = 0; from < rows.length; from += 64) {
            float[][] page = Arrays.copyOfRange(rows, from, Math.min(rows.length, from + 64));
            upload(kit, pool, pageIds[from / 64], page);
        }
        return pool;
    }

    static void upload(Kit kit, Pool pool, long page, float[][] rows) {
        if (pool.format().plain()) {
            for (int r = 0; r < rows.length; r++) {
                long at = (page * 64 + r) * rows[r].length;
                kit.kernels().upload(rows[r], 0, rows[r].length, pool.data(), at);
            }
        } else {
            byte[] bytes = StoredBytes.indexKeys(pool.format().type(), rows);
            kit.kernels().upload(bytes, 0, bytes.length, pool.data(), page * bytes.length);
        }
    }

    static float[][] random(long seed, int rows, int d) {
        float[] all = Kit.random(seed, (long) rows * d);
        float[][] result = new float[rows][];
        for (int r = 0; r < rows; r++) {
            result[r] = Kit.scaled(Arrays.copyOfRange(all, r * d, r * d + d), (float) Math.pow(4, r % 5 - 2));
        }
        return result;
    }

    /** Two sequences of a step with padding; their rows see between 0 and all entries. */
    private static Batch batch(Kit kit) {
        return new Runs(kit).run(0, 800, 4).decode(1, 900, 1).padding(2).batch();
    }

    private static int count(int row) {
        return new int[] {ENTRIES, 0, 65, 1, 130, 0, 0}[row];
    }

    private static float[] run(
            Kit kit, Pool pool, float[] q, float[] weights, IndexScoring scoring, Variant[] variant) {
        Tensor scores = kit.poisoned(DType.FP32, ROWS - 1, ENTRIES);
        int[] table = new int[3 * 4];
        System.arraycopy(PAGES, 0, table, 0, 4);
        // the second sequence's entries are the first one's, page by page in another order
        System.arraycopy(new int[] {PAGES[1], PAGES[2], PAGES[0], -1}, 0, table, 4, 4);
        Arrays.fill(table, 8, 12, -1);
        variant[0] = kit.kernels()
                .indexScores(
                        batch(kit),
                        1,
                        kit.floats(q, ROWS, HEADS, D),
                        kit.floats(weights, ROWS, HEADS),
                        pool,
                        kit.ints(table, 3, 4),
                        kit.ints(new int[] {count(0), count(1), count(2), count(3), count(4), -7, 1 << 30}),
                        scoring,
                        scores);
        return kit.read(scores);
    }

    private static int place(int row, int entry) {
        return row < 4 ? entry : new int[] {64, 128, 0}[entry / 64] + entry % 64;
    }

    /** Scores against the formula over what is stored. */
    static Variant formula(Kit kit, StorageType type, DType scoreType) {
        float[][] rows = random(1, ENTRIES, D);
        Pool pool = keys(kit, type, rows, PAGES, 7);
        float[] q = Kit.scaled(Kit.random(2, (long) ROWS * HEADS * D), 3);
        float[] weights = Kit.random(3, (long) ROWS * HEADS);
        Variant[] variant = new Variant[1];
        float[] actual = run(kit, pool, q, weights, new IndexScoring(scoreType, null), variant);
        for (int t = 1; t < 5; t++) {
            double[] expected = new double[count(t)];
            for (int e = 0; e < expected.length; e++) {
                expected[e] = score(type, scoreType, q, weights, t, rows[place(t, e)]);
            }
            int at = (t - 1) * ENTRIES;
            float[] scores = Arrays.copyOfRange(actual, at, at + expected.length);
            boolean exact = type == StorageType.FP32 && scoreType == DType.FP32;
            Kit.assertClose(scores, expected, exact ? Kit.FP32 : Kit.BF16);
            if (scoreType == DType.BF16) {
                Kit.assertSameBits(scores, Oracle.bf16(scores), "scores, which are bf16");
            }
            for (int e = expected.length; e < ENTRIES; e++) {
                assertThat(actual[at + e]).as("score beyond the count").isNaN();
            }
        }
        return variant[0];
    }

    private static double score(StorageType type, DType scoreType, float[] q, float[] weights, int t, float[] key) {
        float[] k = StoredBytes.rounded(type, key);
        double keyScale = 1;
        if (type == StorageType.FP8) {
            keyScale = scale(key);
        }
        double sum = 0;
        for (int h = 0; h < HEADS; h++) {
            int at = (t * HEADS + h) * D;
            float[] head = Arrays.copyOfRange(q, at, at + D);
            float[] rounded = StoredBytes.rounded(type, head);
            double headScale = type == StorageType.FP8 ? scale(head) : 1;
            double dot = 0;
            for (int i = 0; i < D; i++) {
                dot += (double) rounded[i] * k[i];
            }
            double weight = weights[t * HEADS + h];
            if (scoreType == DType.BF16) {
                // what is rounded is the product of the numbers, without the scales of e4m3
                float unscaled = Oracle.bf16((float) (dot / headScale / keyScale));
                sum += keyScale * Oracle.bf16((float) (weight * headScale * Math.max(0, unscaled)));
            } else {
                sum += weight * Math.max(0, dot);
            }
        }
        double score = sum / Math.sqrt(HEADS) / Math.sqrt(D);
        return scoreType == DType.BF16 ? Oracle.bf16((float) score) : score;
    }

    private static double scale(float[] row) {
        float highest = 1e-4f;
        for (float value : row) {
            highest = Math.max(highest, Math.abs(value));
        }
        return highest / 448f;
    }

    /** Gathered keys give the bits of paged ones, however many pages are gathered at a time. */
    static Variant gathered(Kit kit, StorageType type, DType scoreType) {
        float[][] rows = random(1, ENTRIES, D);
        Pool pool = keys(kit, type, rows, PAGES, 7);
        float[] q = Kit.random(2, (long) ROWS * HEADS * D);
        float[] weights = Kit.random(3, (long) ROWS * HEADS);
        Variant[] variant = new Variant[1];
        float[] paged = run(kit, pool, q, weights, new IndexScoring(scoreType, null), variant);
        String pagedId = variant[0].id();
        for (int pages : new int[] {1, 2, 3, 9}) {
            Pool copies = Pool.allocate(kit.kernels(), pool.format(), pages);
            float[] actual = run(kit, pool, q, weights, new IndexScoring(scoreType, copies), variant);
            Kit.assertSameBits(actual, paged, "scores of " + pages + " gathered pages");
            assertThat(variant[0].id()).isNotEqualTo(pagedId);
        }
        return variant[0];
    }

    /** A NaN or an infinity in a key or a query spoils its own scores only, and is stored as the layout says. */
    static Variant notNumbers(Kit kit, StorageType type) {
        float[][] rows = random(1, ENTRIES, D);
        float[] q = Kit.random(2, (long) ROWS * HEADS * D);
        float[] weights = Kit.random(3, (long) ROWS * HEADS);
        Variant[] variant = new Variant[1];
        float[] clean = run(kit, keys(kit, type, rows, PAGES, 7), q, weights, IndexScoring.PAGED, variant);
        rows[70][3] = Float.NaN;
        q[2 * HEADS * D + D + 1] = Float.NaN;
        float[] actual = run(kit, keys(kit, type, rows, PAGES, 7), q, weights, IndexScoring.PAGED, variant);
        for (int i = 0; i < clean.length; i++) {
            int t = 1 + i / ENTRIES;
            int entry = i % ENTRIES;
            boolean written = t < 5 && entry < count(t);
            boolean spoiled = written && (t == 2 || place(t, entry) == 70);
            if (spoiled) {
                assertThat(actual[i]).as("score %d of row %d", entry, t).isNaN();
            } else {
                assertThat(Float.floatToIntBits(actual[i]))
                        .as("score %d of row %d", entry, t)
                        .isEqualTo(Float.floatToIntBits(clean[i]));
            }
        }
        return variant[0];
    }

    /** A row alone has the bits it has in a batch. */
    static Variant alone(Kit kit, StorageType type, DType scoreType) {
        float[][] rows = random(1, ENTRIES, D);
        Pool pool = keys(kit, type, rows, PAGES, 7);
        float[] q = Kit.random(2, 40L * HEADS * D);
        float[] weights = Kit.random(3, 40L * HEADS);
        float[] all = several(kit, pool, q, weights, 0, 40, scoreType);
        for (int t : new int[] {0, 17, 39}) {
            Kit.assertSameBits(
                    several(kit, pool, q, weights, t, t + 1, scoreType),
                    Arrays.copyOfRange(all, t * ENTRIES, (t + 1) * ENTRIES),
                    "row " + t);
        }
        return new Variant("alone");
    }

    private static float[] several(Kit kit, Pool pool, float[] q, float[] weights, int from, int to, DType scoreType) {
        int n = to - from;
        int[] counts = new int[n];
        Arrays.fill(counts, ENTRIES);
        Tensor scores = kit.poisoned(DType.FP32, n, ENTRIES);
        kit.kernels()
                .indexScores(
                        new Runs(kit).run(0, 800 + from, n).batch(),
                        0,
                        kit.floats(Arrays.copyOfRange(q, from * HEADS * D, to * HEADS * D), n, HEADS, D),
                        kit.floats(Arrays.copyOfRange(weights, from * HEADS, to * HEADS), n, HEADS),
                        pool,
                        kit.ints(PAGES, 1, 4),
                        kit.ints(counts),
                        new IndexScoring(scoreType, null),
                        scores);
        return kit.written(scores);
    }
}
