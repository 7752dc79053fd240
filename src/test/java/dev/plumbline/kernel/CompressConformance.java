package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compressors: pooling, phases, chunks. */
interface CompressConformance extends Conformance {
    /** A compressor over one sequence of random rows. */
    record Setup(int m, boolean overlapping, int d, int pairs, int tokens) {
        int width() {
            return 2 * (overlapping ? 2 : 1) * d;
        }

        float[] projected() {
            return Kit.random(1, (long) tokens * width());
        }

        float[] ape() {
            return Kit.random(2, (long) m * width() / 2);
        }

        float[] norm() {
            return Kit.random(3, d);
        }

        CompressorWeights weights(Kit kit) {
            return new CompressorWeights(
                    m,
                    overlapping,
                    d,
                    kit.floats(ape(), m, width() / 2),
                    kit.floats(norm(), d),
                    1e-6f,
                    kit.floats(RotationConformance.frequencies(pairs), pairs));
        }

        double[][] expected() {
            return Oracle.compress(
                    projected(),
                    tokens,
                    m,
                    overlapping,
                    d,
                    ape(),
                    norm(),
                    1e-6f,
                    RotationConformance.frequencies(pairs));
        }

        /** The pool after the sequence came in chunks of the given lengths, the last one repeated. */
        float[] pool(Kit kit, DType type, int[] pageIds, int... chunks) {
            CompressorWeights weights = weights(kit);
            int pages = Arrays.stream(pageIds).max().orElse(0) + 2;
            Tensor pool = kit.poisoned(type, pages, Kernels.PAGE_ENTRIES, d);
            Tensor state = kit.poisoned(DType.FP32, 3, weights.stateTokens(), width());
            Tensor table = kit.ints(pageIds, 1, pageIds.length);
            float[] rows = projected();
            int chunk = 0;
            for (int from = 0; from < tokens; chunk++) {
                int length = Math.min(tokens - from, chunks[Math.min(chunk, chunks.length - 1)]);
                Batch batch = new Runs(kit).run(2, from, length).batch();
                Tensor part = kit.floats(
                        Arrays.copyOfRange(rows, from * width(), (from + length) * width()), length, width());
                kit.kernels().compress(batch, weights, part, state, table, pool);
                kit.kernels().appendRing(batch, part, state);
                from += length;
            }
            return kit.read(pool);
        }
    }

    /** Entries of a sequence, read through its page table. */
    static float[] entries(float[] pool, int[] pageIds, int count, int d) {
        float[] result = new float[count * d];
        for (int e = 0; e < count; e++) {
            int from = (pageIds[e / 64] * 64 + e % 64) * d;
            System.arraycopy(pool, from, result, e * d, d);
        }
        return result;
    }

    static double[] flat(double[][] rows) {
        return Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
    }

    @ParameterizedTest
    @CsvSource({
        "4,true,32,4,303,1", "4,true,16,8,3,1", "4,true,16,4,4,1", "4,true,33,3,9,1", "128,false,32,4,391,1",
        "128,false,16,4,127,1", "128,false,20,2,128,1", "4,false,16,4,30,1", "128,true,8,2,300,1", "1,false,8,2,70,2",
        "1,true,8,2,7,2"
    })
    default void entriesMatchTheFormula(int m, boolean overlapping, int d, int pairs, int tokens, int pages) {
        Setup setup = new Setup(m, overlapping, d, pairs, tokens);
        int[] pageIds = pages == 1 && tokens / m <= 64 ? new int[] {1} : new int[] {2, 0};
        int count = tokens / m;
        double[] expected = flat(setup.expected());
        float[] pool = setup.pool(kit(), DType.FP32, pageIds, tokens);
        Kit.assertClose(entries(pool, pageIds, count, d), expected, Kit.FP32);
        int written = 0;
        for (float value : pool) {
            written += Float.isNaN(value) ? 0 : 1;
        }
        assertThat(written).as("elements written").isEqualTo(count * d);
        float[] rounded = setup.pool(kit(), DType.BF16, pageIds, tokens);
        RotationConformance.assertRounded(entries(rounded, pageIds, count, d), expected);
    }

    @ParameterizedTest
    @CsvSource({"4,true,37", "128,false,391", "4,false,22", "128,true,391"})
    default void chunksMayBeCutAnywhere(int m, boolean overlapping, int tokens) {
        Setup setup = new Setup(m, overlapping, 16, 4, tokens);
        int[] pageIds = {1};
        float[] whole = setup.pool(kit(), DType.FP32, pageIds, tokens);
        int[][] cuts = {{1}, {2}, {3}, {5}, {7, 1, 1, 2}, {m}, {m - 1}, {m + 1}, {1, m}, {2 * m + 1}, {3, 130}};
        for (int[] chunks : cuts) {
            if (chunks[0] < 1) {
                continue;
            }
            float[] cut = setup.pool(kit(), DType.FP32, pageIds, chunks);
            Kit.assertSameBits(cut, whole, "pool cut in " + Arrays.toString(chunks));
        }
    }

    @Test
    default void everyPhaseOfAPrefixGivesTheSameEntries() {
        for (int prefix = 1; prefix <= 9; prefix++) {
            Setup setup = new Setup(4, true, 16, 4, 25);
            float[] cut = setup.pool(kit(), DType.BF16, new int[] {0}, prefix, 25);
            Kit.assertSameBits(cut, setup.pool(kit(), DType.BF16, new int[] {0}, 25), "prefix of " + prefix);
        }
    }

    @Test
    default void sequencesOfOneStepDoNotMeet() {
        Setup setup = new Setup(4, true, 16, 4, 11);
        CompressorWeights weights = setup.weights(kit());
        int w = setup.width();
        Batch batch = new Runs(kit()).run(0, 0, 11).run(1, 0, 11).padding(5).batch();
        float[] rows = Arrays.copyOf(setup.projected(), 27 * w);
        System.arraycopy(rows, 0, rows, 11 * w, 11 * w);
        Tensor pool = kit().poisoned(DType.FP32, 3, 64, 16);
        Tensor state = kit().kernels().allocate(DType.FP32, 2, 8, w);
        Tensor pages = kit().ints(new int[] {2, 0, -1}, 3, 1);
        kit().kernels().compress(batch, weights, kit().floats(rows, 27, w), state, pages, pool);
        float[] read = kit().read(pool);
        float[] alone = setup.pool(kit(), DType.FP32, new int[] {0}, 11);
        Kit.assertSameBits(Arrays.copyOfRange(read, 0, 1024), Arrays.copyOf(alone, 1024), "second sequence");
        Kit.assertSameBits(Arrays.copyOfRange(read, 2048, 3072), Arrays.copyOf(alone, 1024), "first sequence");
        assertThat(Float.isNaN(read[1024])).isTrue();
    }

    @Test
    default void aStepThatClosesNoWindowNeedsNoPages() {
        Setup setup = new Setup(4, true, 16, 4, 3);
        Tensor pool = kit().poisoned(DType.FP32, 1, 64, 16);
        kit().kernels()
                .compress(
                        new Runs(kit()).run(0, 0, 3).padding(1).batch(),
                        setup.weights(kit()),
                        kit().floats(Kit.random(1, 4L * setup.width()), 4, setup.width()),
                        kit().kernels().allocate(DType.FP32, 1, 8, setup.width()),
                        kit().ints(new int[] {-1, -1}, 2, 1),
                        pool);
        for (float value : kit().read(pool)) {
            assertThat(value).isNaN();
        }
    }

    @Test
    default void hugeGatesDoNotOverflow() {
        Setup setup = new Setup(4, true, 16, 4, 8);
        float[] rows = Kit.random(1, 8L * setup.width());
        for (int i = 0; i < rows.length; i++) {
            rows[i] = i % setup.width() >= 32 ? rows[i] + (i / setup.width() == 6 ? 1000 : -1000) : rows[i];
        }
        Tensor pool = kit().poisoned(DType.FP32, 1, 64, 16);
        Batch batch = new Runs(kit()).run(0, 0, 8).batch();
        kit().kernels()
                .compress(
                        batch,
                        setup.weights(kit()),
                        kit().floats(rows, 8, setup.width()),
                        kit().kernels().allocate(DType.FP32, 1, 8, setup.width()),
                        kit().ints(new int[] {0}, 1, 1),
                        pool);
        float[] read = Arrays.copyOfRange(kit().read(pool), 16, 32);
        double[] winner = new double[16];
        for (int i = 0; i < 16; i++) {
            winner[i] = rows[6 * setup.width() + 16 + i];
        }
        double[] expected = Oracle.rms(winner, 16, setup.norm(), 1e-6f);
        Oracle.rotate(expected, 0, 16, 4, RotationConformance.frequencies(4), false);
        Kit.assertClose(read, expected, Kit.FP32);
    }
}
