package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Variant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Scores of the lightning indexer: blocks of keys, turned over once, times the rows that see them (spec 3.7). */
final class IndexKernel {
    private static final int BLOCK = 512;
    private static final int TILE = 64;
    private static final Variant FP32 = new Variant("indexScores.fp32.java");
    private static final Variant BF16 = new Variant("indexScores.bf16.java");

    private final Workers workers;

    IndexKernel(Workers workers) {
        this.workers = workers;
    }

    private record Task(int sequence, int from, int to, int entryFrom, int entryTo) {}

    Variant scores(
            Batch batch,
            int rowFrom,
            HostTensor q,
            HostTensor headWeights,
            HostTensor keys,
            HostTensor pages,
            HostTensor counts,
            HostTensor scores) {
        Step step = new Step("indexScores", batch);
        int rowTo = rowFrom + scores.size(0);
        int[] count = new int[step.rows()];
        counts.read(0, count, 0, count.length);
        for (int t = rowFrom; t < rowTo; t++) {
            if (!step.isPadding(t) && (count[t] < 0 || count[t] > scores.dim(1))) {
                throw new KernelException(
                        "indexScores: counts[" + t + "] is " + count[t] + ", allowed: 0 to " + scores.dim(1));
            }
        }
        Pages entries = new Pages("indexScores", pages, keys);
        List<Task> tasks = tasks(step, rowFrom, rowTo, count);
        long cost = (long) Math.min(TILE, rowTo - rowFrom) * q.size(1) * q.size(2) * BLOCK / 8;
        workers.each(tasks.size(), cost, i -> {
            Task task = tasks.get(i);
            float[][] turned = turned(entries, task, q.size(2));
            for (int t = task.from(); t < task.to(); t++) {
                int to = Math.min(task.entryTo(), count[t]);
                if (to > task.entryFrom()) {
                    float[] row = row(q, t, headWeights, turned, to - task.entryFrom(), keys.isBf16());
                    scores.write(row, 0, row.length, (t - rowFrom) * scores.dim(1) + task.entryFrom());
                }
            }
        });
        return keys.isBf16() ? BF16 : FP32;
    }

    private static List<Task> tasks(Step step, int rowFrom, int rowTo, int[] count) {
        List<Task> tasks = new ArrayList<>();
        for (int from = rowFrom; from < rowTo; ) {
            int to = from;
            int most = 0;
            while (to < rowTo && to - from < TILE && step.sequence(to) == step.sequence(from)) {
                most = Math.max(most, count[to++]);
            }
            for (int e = 0; e < most && !step.isPadding(from); e += BLOCK) {
                tasks.add(new Task(step.sequence(from), from, to, e, Math.min(most, e + BLOCK)));
            }
            from = to;
        }
        return tasks;
    }

    private static float[][] turned(Pages entries, Task task, int d) {
        int n = task.entryTo() - task.entryFrom();
        float[][] keys = new float[n][d];
        for (int e = 0; e < n; e++) {
            entries.read(task.sequence(), task.entryFrom() + e, keys[e]);
        }
        float[][] turned = new float[d][n];
        Gemm.transpose(keys, n, d, turned);
        return turned;
    }

    private static float[] row(HostTensor q, int t, HostTensor weights, float[][] keys, int n, boolean bf16) {
        int heads = q.size(1);
        int d = q.size(2);
        float headFactor = (float) (1 / Math.sqrt(heads));
        float dimFactor = (float) (1 / Math.sqrt(d));
        float[] query = q.copy((long) t * heads * d, heads * d);
        if (bf16) {
            Rounding.bf16(query, 0, query, 0, query.length);
        }
        float[] sum = new float[n];
        float[] dots = new float[n];
        for (int h = 0; h < heads; h++) {
            Arrays.fill(dots, 0);
            Gemm.accumulate(query, h * d, d, keys, 0, n, dots);
            float factor = weights.floatAt((long) t * heads + h) * headFactor;
            for (int e = 0; e < n; e++) {
                sum[e] += factor * Math.max(0f, dots[e]) * dimFactor;
            }
        }
        return sum;
    }
}
