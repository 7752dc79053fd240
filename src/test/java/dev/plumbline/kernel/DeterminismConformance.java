package dev.plumbline.kernel;

import dev.plumbline.precision.TopkAlgorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bits of a result depend neither on the other rows of a call nor on the number of threads. */
interface DeterminismConformance extends Conformance {
    int ROWS = 37;

    /** A kernel applied to rows [from, to) of fixed inputs; returns its outputs, row after row. */
    interface RowKernel {
        float[] rows(Kit kit, int from, int to);
    }

    /** Every kernel that works row by row, with sizes large enough to be shared among threads. */
    static Map<String, RowKernel> rowKernels() {
        Map<String, RowKernel> all = new LinkedHashMap<>();
        for (DType form : List.of(DType.FP32, DType.BF16)) {
            all.put("linear " + form, (kit, from, to) -> {
                LinearWeight weight = kit.weight(Kit.random(1, 643 * 129), 643, 129, form);
                Tensor y = kit.poisoned(DType.FP32, to - from, 643);
                kit.kernels().linear(slice(kit, 2, from, to, 129), weight, y);
                return kit.written(y);
            });
            all.put("groupedLinear " + form, (kit, from, to) -> {
                List<LinearWeight> weights = new ArrayList<>();
                for (int g = 0; g < 3; g++) {
                    weights.add(kit.weight(Kit.random(g, 70 * 65), 70, 65, form));
                }
                Tensor y = kit.poisoned(DType.FP32, to - from, 210);
                kit.kernels().groupedLinear(slice(kit, 3, from, to, 195), weights, y);
                return kit.written(y);
            });
            all.put("experts " + form, (kit, from, to) -> experts(kit, form, from, to));
        }
        all.put("rmsNorm", (kit, from, to) -> {
            Tensor y = kit.poisoned(DType.FP32, to - from, 1031);
            kit.kernels().rmsNorm(slice(kit, 4, from, to, 1031), kit.floats(Kit.random(5, 1031), 1031), 1e-6f, y);
            return kit.written(y);
        });
        all.put("mix", (kit, from, to) -> mix(kit, from, to));
        all.put("collapse", (kit, from, to) -> {
            HyperWeights weights = new HyperWeights(
                    kit.floats(Kit.random(1, 4 * 4 * 130), 4, 520),
                    kit.floats(Kit.random(2, 4), 4),
                    kit.floats(new float[] {0.3f}, 1),
                    1,
                    1e-6f,
                    1e-6f);
            Tensor y = kit.poisoned(DType.FP32, to - from, 130);
            kit.kernels().collapse(slice(kit, 6, from, to, 4, 130), weights, y);
            return kit.written(y);
        });
        all.put("unmix", (kit, from, to) -> {
            Tensor streams = slice(kit, 6, from, to, 4, 130);
            kit.kernels()
                    .unmix(
                            slice(kit, 7, from, to, 130),
                            slice(kit, 8, from, to, 4),
                            slice(kit, 9, from, to, 4, 4),
                            streams);
            return kit.written(streams);
        });
        all.put("rope", (kit, from, to) -> {
            Tensor x = slice(kit, 10, from, to, 16, 70);
            kit.kernels().rope(x, angles(kit, from, to, 16), false);
            return kit.written(x);
        });
        all.put("windowKeys", (kit, from, to) -> {
            Tensor out = kit.poisoned(DType.BF16, to - from, 515);
            kit.kernels()
                    .windowKeys(
                            slice(kit, 11, from, to, 515),
                            kit.floats(Kit.random(12, 515), 515),
                            1e-6f,
                            angles(kit, from, to, 32),
                            out);
            return kit.written(out);
        });
        all.put("swiglu", (kit, from, to) -> {
            Tensor h = kit.poisoned(DType.FP32, to - from, 333);
            kit.kernels().swiglu(slice(kit, 13, from, to, 666), 1, h);
            return kit.written(h);
        });
        all.put("route", (kit, from, to) -> route(kit, from, to));
        all.put("topK", (kit, from, to) -> topK(kit, from, to));
        all.put(
                "sample",
                (kit, from, to) -> asFloats(new SamplingConformance.Draw(1, 0.9f, 5, 0)
                        .sample(
                                kit,
                                slice(kit, 16, from, to, 3001),
                                to - from,
                                from,
                                new int[to - from + 1],
                                new int[1],
                                new float[1])));
        all.put("indexScores", (kit, from, to) -> indexScores(kit, from, to));
        return all;
    }

    /** Rows of a fixed random matrix. */
    static Tensor slice(Kit kit, long seed, int from, int to, long... row) {
        long width = Arrays.stream(row).reduce(1, (a, b) -> a * b);
        float[] all = Kit.random(seed, ROWS * width);
        long[] shape = new long[row.length + 1];
        shape[0] = to - from;
        System.arraycopy(row, 0, shape, 1, row.length);
        return kit.floats(Arrays.copyOfRange(all, (int) (from * width), (int) (to * width)), shape);
    }

    private static Tensor angles(Kit kit, int from, int to, int pairs) {
        Tensor table = kit.poisoned(DType.FP32, to - from, 2L * pairs);
        kit.kernels()
                .angles(
                        new Runs(kit).run(0, 500 + from, to - from).batch(),
                        kit.floats(RotationConformance.frequencies(pairs), pairs),
                        table);
        return table;
    }

    private static float[] asFloats(int[] values) {
        float[] result = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            result[i] = values[i];
        }
        return result;
    }

    /** Joins several outputs row by row. */
    private static float[] joined(int rows, float[]... parts) {
        int width = Arrays.stream(parts).mapToInt(part -> part.length / rows).sum();
        float[] all = new float[rows * width];
        for (int i = 0; i < rows; i++) {
            int at = i * width;
            for (float[] part : parts) {
                int n = part.length / rows;
                System.arraycopy(part, i * n, all, at, n);
                at += n;
            }
        }
        return all;
    }

    private static float[] mix(Kit kit, int from, int to) {
        HyperWeights weights = new HyperWeights(
                kit.floats(Kit.random(1, 24 * 4 * 130), 24, 520),
                kit.floats(Kit.random(2, 24), 24),
                kit.floats(new float[] {0.1f, 0.2f, 0.3f}, 3),
                20,
                1e-6f,
                1e-6f);
        Tensor post = kit.poisoned(DType.FP32, to - from, 4);
        Tensor comb = kit.poisoned(DType.FP32, to - from, 4, 4);
        Tensor collapsed = kit.poisoned(DType.FP32, to - from, 130);
        kit.kernels().mix(slice(kit, 6, from, to, 4, 130), weights, post, comb, collapsed);
        return joined(to - from, kit.written(post), kit.written(comb), kit.written(collapsed));
    }

    private static float[] route(Kit kit, int from, int to) {
        Tensor ids = kit.poisoned(DType.INT32, to - from, 6);
        Tensor weights = kit.poisoned(DType.FP32, to - from, 6);
        kit.kernels()
                .route(
                        new Runs(kit).run(0, from, to - from).batch(),
                        slice(kit, 14, from, to, 256),
                        kit.floats(Kit.random(15, 256), 256),
                        null,
                        1.5f,
                        ids,
                        weights);
        return joined(to - from, asFloats(kit.writtenInts(ids)), kit.written(weights));
    }

    private static float[] topK(Kit kit, int from, int to) {
        Tensor ids = kit.poisoned(DType.INT32, to - from, 64);
        Tensor found = kit.poisoned(DType.INT32, to - from);
        int[] counts = new int[to - from];
        Arrays.setAll(counts, i -> 900 - 20 * (from + i));
        kit.kernels().topK(slice(kit, 15, from, to, 900), kit.ints(counts), TopkAlgorithm.RADIX, ids, found);
        return joined(to - from, asFloats(kit.writtenInts(ids)), asFloats(kit.writtenInts(found)));
    }

    private static float[] experts(Kit kit, DType form, int from, int to) {
        List<LinearWeight> gateUp = new ArrayList<>();
        List<LinearWeight> down = new ArrayList<>();
        for (int e = 0; e < 5; e++) {
            gateUp.add(kit.weight(Kit.random(e, 2 * 40 * 66), 80, 66, form));
            down.add(kit.weight(Kit.random(50 + e, 66 * 40), 66, 40, form));
        }
        int[] ids = new int[(to - from) * 2];
        Arrays.setAll(ids, i -> (from + i / 2 + i % 2 * 2) % 5);
        Tensor y = slice(kit, 17, from, to, 66);
        kit.kernels()
                .experts(
                        new Runs(kit).run(0, from, to - from).batch(),
                        slice(kit, 18, from, to, 66),
                        kit.ints(ids, to - from, 2),
                        slice(kit, 19, from, to, 2),
                        gateUp,
                        down,
                        5,
                        y);
        return kit.written(y);
    }

    private static float[] indexScores(Kit kit, int from, int to) {
        Tensor scores = kit.poisoned(DType.FP32, to - from, 600);
        int[] counts = new int[to - from];
        Arrays.fill(counts, 600);
        kit.kernels()
                .indexScores(
                        new Runs(kit).run(0, 2400 + from, to - from).batch(),
                        0,
                        slice(kit, 20, from, to, 4, 33),
                        slice(kit, 21, from, to, 4),
                        kit.filled(DType.BF16, Kit.random(22, 10 * 64 * 33), 10, 64, 33),
                        kit.ints(Kit.shuffled(23, 10), 1, 10),
                        kit.ints(counts),
                        scores);
        return kit.written(scores);
    }

    @Test
    default void aRowAloneHasTheBitsItHasInABatch() {
        rowKernels().forEach((name, kernel) -> {
            float[] batch = kernel.rows(kit(), 0, ROWS);
            int width = batch.length / ROWS;
            for (int[] cut : new int[][] {{0, 1}, {5, 6}, {3, 20}, {20, 36}, {ROWS - 1, ROWS}}) {
                Kit.assertSameBits(
                        kernel.rows(kit(), cut[0], cut[1]),
                        Arrays.copyOfRange(batch, cut[0] * width, cut[1] * width),
                        name + " of rows " + Arrays.toString(cut));
            }
        });
    }

    @Test
    default void threadsDoNotChangeTheBits() {
        try (Kernels one = backend(1);
                Kernels three = backend(3)) {
            rowKernels()
                    .forEach((name, kernel) -> Kit.assertSameBits(
                            kernel.rows(new Kit(three), 0, ROWS), kernel.rows(new Kit(one), 0, ROWS), name));
            AttentionConformance.Scene attention = new AttentionConformance.Scene(41, 8, 64, 16, 90, 64, DType.BF16);
            Kit.assertSameBits(attention.run(new Kit(three), 41)[0], attention.run(new Kit(one), 13)[0], "attention");
            CompressConformance.Setup compress = new CompressConformance.Setup(4, true, 64, 8, 130);
            Kit.assertSameBits(
                    compress.pool(new Kit(three), DType.FP32, new int[] {0}, 130),
                    compress.pool(new Kit(one), DType.FP32, new int[] {0}, 29),
                    "compress");
        }
    }

    @Test
    default void repeatedCallsGiveTheSameBits() {
        rowKernels().forEach((name, kernel) -> {
            float[] first = kernel.rows(kit(), 0, ROWS);
            for (int i = 0; i < 3; i++) {
                Kit.assertSameBits(kernel.rows(kit(), 0, ROWS), first, name);
            }
        });
    }
}
