package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.IndexScoring;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Variant;
import java.util.ArrayList;
import java.util.List;

/** Scores of the lightning indexer: blocks of keys, turned over once, times the rows that see them (spec 3.7). */
final class IndexKernel {
    private static final int BLOCK = 512;
    private static final int TILE = 64;

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
            PoolRows keys,
            HostTensor pages,
            HostTensor counts,
            IndexScoring scoring,
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
        IndexQuery query = new IndexQuery(q, headWeights, keys.format().layout(), scoring.scoreType());
        Pages paged = new Pages("indexScores", pages, keys);
        Gathered gathered = scoring.gathered() == null ? null : new Gathered(paged, new PoolRows(scoring.gathered()));
        for (List<Task> tasks : plan(step, rowFrom, rowTo, count, gathered)) {
            if (gathered != null && !tasks.isEmpty()) {
                gathered.fill(tasks);
            }
            long cost = (long) Math.min(TILE, rowTo - rowFrom) * q.size(1) * q.size(2) * BLOCK / 8;
            workers.each(tasks.size(), cost, i -> {
                Task task = tasks.get(i);
                Block block = block(gathered, paged, task, q.size(2));
                for (int t = task.from(); t < task.to(); t++) {
                    int to = Math.min(task.entryTo(), count[t]);
                    if (to > task.entryFrom()) {
                        float[] row = query.score(t, block.turned(), block.scales(), to - task.entryFrom());
                        scores.write(row, 0, row.length, (t - rowFrom) * scores.dim(1) + task.entryFrom());
                    }
                }
            });
        }
        return variant(keys, scoring);
    }

    private static Variant variant(PoolRows keys, IndexScoring scoring) {
        return new Variant("indexScores." + keys.name()
                + (scoring.scoreType() == DType.BF16 ? ".bf16_scores" : "")
                + (scoring.gathered() == null ? "" : ".gathered")
                + ".java");
    }

    /** Tasks that may run together: all of them, or those that one filling of the gathered pages serves. */
    private static List<List<Task>> plan(Step step, int rowFrom, int rowTo, int[] count, Gathered gathered) {
        List<List<Task>> plan = new ArrayList<>();
        plan.add(new ArrayList<>());
        for (int from = rowFrom; from < rowTo; ) {
            int to = from;
            int most = 0;
            int tile = gathered == null ? TILE : Integer.MAX_VALUE;
            while (to < rowTo && to - from < tile && step.sequence(to) == step.sequence(from)) {
                most = Math.max(most, count[to++]);
            }
            int atOnce = gathered == null ? Math.max(1, most) : gathered.entries();
            for (int e = 0; e < most && !step.isPadding(from); e += atOnce) {
                if (gathered != null) {
                    plan.add(new ArrayList<>());
                }
                addTasks(plan.get(plan.size() - 1), step.sequence(from), from, to, e, Math.min(most, e + atOnce));
            }
            from = to;
        }
        return plan;
    }

    private static void addTasks(List<Task> tasks, int sequence, int from, int to, int entryFrom, int entryTo) {
        for (int t = from; t < to; t += TILE) {
            for (int e = entryFrom; e < entryTo; e += BLOCK) {
                tasks.add(new Task(sequence, t, Math.min(to, t + TILE), e, Math.min(entryTo, e + BLOCK)));
            }
        }
    }

    /** Keys of consecutive entries, [d][n], and what each one's scores are multiplied with, or null. */
    private record Block(float[][] turned, float[] scales) {}

    private static Block block(Gathered gathered, Pages paged, Task task, int d) {
        int n = task.entryTo() - task.entryFrom();
        float[][] keys = new float[n][d];
        PoolRows rows = gathered == null ? paged.rows() : gathered.copies;
        float[] scales = rows.rowScaled() ? new float[n] : null;
        for (int i = 0; i < n; i++) {
            int entry = task.entryFrom() + i;
            long page = gathered == null ? paged.page(task.sequence(), entry) : gathered.page(entry);
            rows.read(page, Pages.row(entry), keys[i]);
            if (scales != null) {
                scales[i] = rows.scale(page, Pages.row(entry));
            }
        }
        float[][] turned = new float[d][n];
        Gemm.transpose(keys, n, d, turned);
        return new Block(turned, scales);
    }

    /** Copies of consecutive pages of one sequence. */
    private static final class Gathered {
        private final Pages source;
        private final PoolRows copies;
        private int first;

        Gathered(Pages source, PoolRows copies) {
            this.source = source;
            this.copies = copies;
        }

        int entries() {
            return Math.toIntExact(Math.min(Integer.MAX_VALUE / 2, copies.pages() * Kernels.PAGE_ENTRIES));
        }

        void fill(List<Task> tasks) {
            first = tasks.stream().mapToInt(Task::entryFrom).min().orElseThrow();
            int last = tasks.stream().mapToInt(Task::entryTo).max().orElseThrow();
            for (int e = first; e < last; e += Kernels.PAGE_ENTRIES) {
                copies.copyPage(source.rows(), source.page(tasks.get(0).sequence(), e), page(e));
            }
        }

        long page(int entry) {
            return (entry - first) / Kernels.PAGE_ENTRIES;
        }
    }
}
