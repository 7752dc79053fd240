package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.precision.AttentionDecode;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.StorageType;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Attention over rings and entries of every format, in both stages: one sequence of {@link #TOKENS} tokens before the
 * step, then a step of a prefill run, a decode row and padding. Each check returns the variant that it asked.
 */
final class AttentionChecks {
    private static final float SCALE = 0.2f;
    private static final int HEADS = 6;
    private static final int TOKENS = 21;
    private static final int WINDOW = 16;
    private static final int ENTRIES = 150;
    private static final int ROWS = 6;
    private static final int REAL = 4;
    private static final int[] PAGES = {5, 0, 3};

    private final Kit kit;
    private final int d;
    private final int rotated;
    private final StorageType type;
    private final float[][] tokens;
    private final float[][] entries;
    private final Pool ring;
    private final Pool pool;
    private Variant variant;

    private AttentionChecks(Kit kit, StorageType type, int d, int rotated) {
        this.kit = kit;
        this.type = type;
        this.d = d;
        this.rotated = rotated;
        tokens = ScoreChecks.random(31, 2 * (TOKENS + REAL), d);
        entries = ScoreChecks.random(32, ENTRIES, d);
        for (float[][] rows : new float[][][] {tokens, entries}) {
            for (int i = 0; i < rows.length; i++) {
                rows[i] = stored(Kit.scaled(rows[i], 0.3f));
            }
        }
        ring = Pool.allocate(kit.kernels(), PageFormat.keyValues(type, WINDOW, d, rotated), 3);
        pool = Pool.allocate(kit.kernels(), PageFormat.keyValues(type, 64, d, rotated), 6);
        fill();
    }

    private float[] stored(float[] row) {
        return switch (type) {
            case FP32 -> row;
            case FP8 -> StoredBytes.roundedKeyValue(row, rotated);
            default -> Oracle.bf16(row);
        };
    }

    /** Both sequences' first tokens into their rings, and the entries into their pages. */
    private void fill() {
        for (int s = 0; s < 2; s++) {
            Tensor source = kit.filled(keyType(), flat(tokens, s * (TOKENS + REAL), TOKENS), TOKENS, d);
            kit.kernels().appendRing(new Runs(kit).run(2 - s, 0, TOKENS).batch(), source, ring);
        }
        for (int e = 0; e < ENTRIES; e += 64) {
            float[][] rows = Arrays.copyOfRange(entries, e, Math.min(ENTRIES, e + 64));
            if (type == StorageType.FP8) {
                byte[] page = StoredBytes.keyValues(
                        rows, IntStream.range(0, rows.length).toArray(), 64, rotated);
                kit.kernels().upload(page, 0, page.length, pool.data(), (long) PAGES[e / 64] * page.length);
            } else {
                ScoreChecks.upload(kit, pool, PAGES[e / 64], rows);
            }
        }
    }

    private DType keyType() {
        return type == StorageType.FP32 ? DType.FP32 : DType.BF16;
    }

    private static float[] flat(float[][] rows, int from, int count) {
        int d = rows[0].length;
        float[] all = new float[count * d];
        for (int i = 0; i < count; i++) {
            System.arraycopy(rows[from + i], 0, all, i * d, d);
        }
        return all;
    }

    private static int[] ids(int row, int budget) {
        int count = new int[] {9, 0, 1, 8}[row];
        int[] chosen = Arrays.copyOf(Kit.shuffled(row, ENTRIES), Math.min(count, budget));
        Arrays.sort(chosen);
        return chosen;
    }

    private float[] q() {
        return Kit.random(33, (long) ROWS * HEADS * d);
    }

    /** Three prefill rows of the first sequence, one row of the second, of which {@code decode} says the stage. */
    private float[][] run(AttentionDecode decode, boolean secondDecodes, boolean all) {
        Runs runs = new Runs(kit).run(2, TOKENS, 3);
        Batch batch = (secondDecodes ? runs.decode(1, TOKENS, 1) : runs.run(1, TOKENS, 1))
                .padding(2)
                .batch();
        float[] keys = new float[ROWS * d];
        System.arraycopy(flat(tokens, TOKENS, 3), 0, keys, 0, 3 * d);
        System.arraycopy(flat(tokens, TOKENS + REAL + TOKENS, 1), 0, keys, 3 * d, d);
        int budget = all ? ENTRIES : 9;
        int[] chosen = new int[ROWS * budget];
        int[] counts = new int[ROWS];
        Arrays.fill(chosen, -1);
        for (int t = 0; t < REAL; t++) {
            int[] ids = all ? IntStream.range(0, ENTRIES).toArray() : ids(t, budget);
            System.arraycopy(ids, 0, chosen, t * budget, ids.length);
            counts[t] = ids.length;
        }
        int[] table = {PAGES[0], PAGES[1], PAGES[2], PAGES[0], PAGES[1], PAGES[2], -1, -1, -1};
        Tensor out = kit.poisoned(DType.FP32, ROWS, HEADS, d);
        Tensor logs = kit.poisoned(DType.FP32, ROWS, HEADS);
        variant = kit.kernels()
                .attention(
                        batch,
                        kit.floats(q(), ROWS, HEADS, d),
                        kit.filled(keyType(), keys, ROWS, d),
                        ring,
                        new Entries(pool, kit.ints(table, 3, 3), kit.ints(chosen, ROWS, budget), kit.ints(counts)),
                        kit.floats(Kit.random(34, HEADS), HEADS),
                        SCALE,
                        decode,
                        out,
                        logs);
        return new float[][] {
            Arrays.copyOf(kit.read(out), REAL * HEADS * d), Arrays.copyOf(kit.read(logs), REAL * HEADS)
        };
    }

    private double[][] expected(int rounded, boolean all) {
        double[] out = new double[REAL * HEADS * d];
        double[] logs = new double[REAL * HEADS];
        float[] sinks = Kit.random(34, HEADS);
        float[] q = q();
        for (int t = 0; t < REAL; t++) {
            int from = t < 3 ? TOKENS + t : TOKENS + REAL + TOKENS;
            int[] ids = all ? IntStream.range(0, ENTRIES).toArray() : ids(t, 9);
            float[][] keys = new float[WINDOW + ids.length][];
            for (int i = 0; i < WINDOW; i++) {
                keys[i] = tokens[from - WINDOW + 1 + i];
            }
            for (int i = 0; i < ids.length; i++) {
                keys[WINDOW + i] = entries[ids[i]];
            }
            for (int h = 0; h < HEADS; h++) {
                float[] query = Arrays.copyOfRange(q, (t * HEADS + h) * d, (t * HEADS + h + 1) * d);
                double[] one = t == rounded
                        ? roundedAttention(query, keys, sinks[h])
                        : Oracle.attention(query, 0, d, keys, sinks[h], SCALE);
                System.arraycopy(one, 0, out, (t * HEADS + h) * d, d);
                logs[t * HEADS + h] = one[d];
            }
        }
        return new double[][] {out, logs};
    }

    private static double[] roundedAttention(float[] query, float[][] keys, float sink) {
        int d = query.length;
        float[] q = Oracle.bf16(query);
        double[] logits = new double[keys.length];
        double highest = sink;
        for (int j = 0; j < keys.length; j++) {
            float[] key = Oracle.bf16(keys[j]);
            for (int i = 0; i < d; i++) {
                logits[j] += (double) q[i] * key[i] * SCALE;
            }
            highest = Math.max(highest, logits[j]);
        }
        double total = Math.exp(sink - highest);
        double[] out = new double[d + 1];
        for (int j = 0; j < keys.length; j++) {
            double numerator = Math.exp(logits[j] - highest);
            total += numerator;
            float[] value = Oracle.bf16(keys[j]);
            for (int i = 0; i < d; i++) {
                out[i] += (double) Oracle.bf16((float) numerator) * value[i];
            }
        }
        for (int i = 0; i < d; i++) {
            out[i] /= total;
        }
        out[d] = highest + Math.log(total);
        return out;
    }

    /** Keys/values of a format, read exactly. */
    static Variant storage(Kit kit, StorageType type) {
        Variant variant = null;
        for (int[] shape : new int[][] {{128, 32}, {20, 6}, {96, 16}}) {
            for (boolean all : new boolean[] {false, true}) {
                AttentionChecks checks = new AttentionChecks(kit, type, shape[0], shape[1]);
                float[][] actual = checks.run(AttentionDecode.SCALAR, true, all);
                double[][] expected = checks.expected(-1, all);
                double bound = type == StorageType.FP32 ? Kit.FP32 : Kit.BF16;
                Kit.assertClose(actual[0], expected[0], bound);
                Kit.assertClose(actual[1], expected[1], bound);
                variant = checks.variant;
            }
        }
        return variant;
    }

    /** Rows of the decode stage are rounded, rows of the prefill stage have the bits of the fp32 path. */
    static Variant rounded(Kit kit) {
        Variant variant = null;
        for (StorageType type : new StorageType[] {StorageType.FP32, StorageType.BF16, StorageType.FP8}) {
            if (!FlagCheck.supported(kit.kernels(), Flag.KV_DTYPE, type)) {
                continue;
            }
            for (boolean all : new boolean[] {false, true}) {
                AttentionChecks checks = new AttentionChecks(kit, type, 64, 16);
                float[][] scalar = checks.run(AttentionDecode.SCALAR, true, all);
                String scalarId = checks.variant.id();
                float[][] prefill = checks.run(AttentionDecode.MMA, false, all);
                Kit.assertSameBits(prefill[0], scalar[0], "a lone prefill row with mma");
                float[][] actual = checks.run(AttentionDecode.MMA, true, all);
                variant = checks.variant;
                assertThat(variant.id()).isNotEqualTo(scalarId);
                int prefilled = 3 * HEADS * 64;
                Kit.assertSameBits(
                        Arrays.copyOf(actual[0], prefilled), Arrays.copyOf(scalar[0], prefilled), "prefill rows");
                assertThat(Arrays.copyOfRange(actual[0], prefilled, actual[0].length))
                        .as("the decode row is rounded")
                        .isNotEqualTo(Arrays.copyOfRange(scalar[0], prefilled, scalar[0].length));
                double[][] expected = checks.expected(3, all);
                Kit.assertClose(
                        Arrays.copyOfRange(actual[0], prefilled, actual[0].length),
                        Arrays.copyOfRange(expected[0], prefilled, actual[0].length),
                        Kit.BF16);
                Kit.assertClose(actual[1], expected[1], Kit.BF16);
            }
        }
        return variant;
    }
}
