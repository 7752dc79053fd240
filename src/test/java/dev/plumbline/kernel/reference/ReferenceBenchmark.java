package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Entries;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** Prints the speed of the heavy kernels: {@code ReferenceBenchmark [threads]}. Run by hand; asserts nothing. */
public final class ReferenceBenchmark {
    private ReferenceBenchmark() {}

    /** Runs every measurement. */
    public static void main(String[] arguments) {
        int threads = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2;
        try (Kernels kernels = new ReferenceKernels(threads)) {
            System.out.println(kernels.description());
            for (DType form : List.of(DType.FP32, DType.BF16)) {
                for (int[] s :
                        new int[][] {{512, 256, 1024}, {512, 1024, 256}, {32, 256, 1024}, {1, 256, 1024}, {512, 64, 64}
                        }) {
                    linear(kernels, form, s[0], s[1], s[2]);
                }
            }
            experts(kernels, 512);
            experts(kernels, 1);
            attention(kernels, 64, 8, 64, 128, 512);
            attention(kernels, 1, 8, 64, 128, 512);
            attention(kernels, 16, 64, 512, 128, 512);
            index(kernels, 512, 8, 64, 2048);
            index(kernels, 1, 64, 128, 2048);
        }
    }

    private static void linear(Kernels kernels, DType form, int t, int k, int n) {
        LinearWeight weight = weight(kernels, n, k, form);
        Tensor x = random(kernels, t, k);
        Tensor y = kernels.allocate(DType.FP32, t, n);
        report("linear " + form + " T=" + t + " K=" + k + " N=" + n, 2.0 * t * k * n, i -> {
            kernels.linear(x, weight, y);
            return 0;
        });
    }

    private static void experts(Kernels kernels, int t) {
        int d = 256;
        int inner = 128;
        int e = 16;
        int k = 4;
        List<LinearWeight> up = new ArrayList<>();
        List<LinearWeight> down = new ArrayList<>();
        for (int i = 0; i < e; i++) {
            up.add(weight(kernels, 2 * inner, d, DType.BF16));
            down.add(weight(kernels, d, inner, DType.BF16));
        }
        Tensor ids = ints(
                kernels, IntStream.range(0, t * k).map(i -> (i * 5 + i / k) % e).toArray(), t, k);
        Tensor x = random(kernels, t, d);
        Tensor weights = random(kernels, t, k);
        Tensor y = kernels.allocate(DType.FP32, t, d);
        Batch batch = batch(kernels, t, t);
        report("experts T=" + t, 6.0 * t * k * d * inner, i -> {
            kernels.experts(batch, x, ids, weights, up, down, 10, y);
            return 0;
        });
    }

    private static void attention(Kernels kernels, int t, int h, int d, int window, int budget) {
        int from = 4 * budget;
        Batch batch = batch(kernels, t, from);
        Tensor q = random(kernels, t, h, d);
        Tensor keys = random(kernels, t, d);
        Tensor ring = random(kernels, 1, window, d);
        Tensor pool = random(kernels, 16, 64, d);
        Tensor pages = ints(kernels, IntStream.range(0, 16).toArray(), 1, 16);
        Tensor ids = ints(
                kernels, IntStream.range(0, t * budget).map(i -> i % budget).toArray(), t, budget);
        Tensor counts = ints(kernels, IntStream.generate(() -> budget).limit(t).toArray(), t);
        Tensor out = kernels.allocate(DType.FP32, t, h, d);
        Tensor sinks = random(kernels, h);
        report(
                "attention T=" + t + " H=" + h + " d=" + d + " keys=" + (window + budget),
                4.0 * t * h * d * (window + budget),
                i -> {
                    kernels.attention(
                            batch, q, keys, ring, new Entries(pool, pages, ids, counts), sinks, 0.1f, out, null);
                    return 0;
                });
    }

    private static void index(Kernels kernels, int t, int h, int d, int entries) {
        Batch batch = batch(kernels, t, 4 * entries);
        Tensor q = random(kernels, t, h, d);
        Tensor weights = random(kernels, t, h);
        int pageCount = entries / 64;
        Tensor keys = random(kernels, pageCount, 64, d);
        Tensor pages = ints(kernels, IntStream.range(0, pageCount).toArray(), 1, pageCount);
        Tensor counts = ints(kernels, IntStream.generate(() -> entries).limit(t).toArray(), t);
        Tensor scores = kernels.allocate(DType.FP32, t, entries);
        report("indexScores T=" + t + " H=" + h + " d=" + d + " E=" + entries, 2.0 * t * h * d * entries, i -> {
            kernels.indexScores(batch, 0, q, weights, keys, pages, counts, scores);
            return 0;
        });
    }

    private static Batch batch(Kernels kernels, int t, int from) {
        return new Batch(
                t,
                1,
                from + t,
                ints(kernels, new int[t], t),
                ints(kernels, IntStream.range(from, from + t).toArray(), t),
                ints(kernels, new int[t], t),
                ints(kernels, new int[] {0, t}, 2),
                ints(kernels, new int[1], 1),
                ints(kernels, new int[t], t),
                null,
                null);
    }

    private static LinearWeight weight(Kernels kernels, int n, int k, DType form) {
        Random random = new Random(1);
        return kernels.linearWeight(
                (from, target, offset, length) -> {
                    for (int i = 0; i < length; i++) {
                        target[offset + i] = random.nextFloat() - 0.5f;
                    }
                },
                n,
                k,
                form);
    }

    private static Tensor random(Kernels kernels, long... shape) {
        Tensor tensor = kernels.allocate(DType.FP32, shape);
        Random random = new Random(2);
        float[] values = new float[(int) tensor.elements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat() - 0.5f;
        }
        kernels.upload(values, 0, values.length, tensor, 0);
        return tensor;
    }

    private static Tensor ints(Kernels kernels, int[] values, long... shape) {
        Tensor tensor = kernels.allocate(DType.INT32, shape);
        kernels.upload(values, 0, values.length, tensor, 0);
        return tensor;
    }

    private static void report(String name, double operations, IntToLongFunction call) {
        double best = Double.MAX_VALUE;
        long until = System.nanoTime() + 1_500_000_000L;
        for (int i = 0; System.nanoTime() < until; i++) {
            long start = System.nanoTime();
            call.applyAsLong(i);
            best = Math.min(best, System.nanoTime() - start);
        }
        System.out.printf("%-48s %8.1f us  %6.2f GFLOP/s%n", name, best / 1e3, operations / best);
    }
}
