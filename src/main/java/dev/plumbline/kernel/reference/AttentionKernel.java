package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.Entries;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Variant;
import java.util.Arrays;

/** Attention row by row: gathers the keys in order, then two matrix products around one softmax with a sink. */
final class AttentionKernel {
    private static final int RUN = 4;
    private static final Variant FP32 = new Variant("attention.fp32.java");
    private static final Variant BF16 = new Variant("attention.bf16.java");

    private final Workers workers;

    AttentionKernel(Workers workers) {
        this.workers = workers;
    }

    Variant attention(
            Batch batch,
            HostTensor q,
            HostTensor keys,
            HostTensor ring,
            Entries entries,
            HostTensor sinks,
            float scale,
            HostTensor out,
            HostTensor logSumExp) {
        Step step = new Step("attention", batch);
        float[] sink = sinks.copy(0, q.size(1));
        Selection selection = entries == null ? null : new Selection(entries);
        if (selection != null) {
            selection.check(step);
        }
        int runs = (step.rows() + RUN - 1) / RUN;
        long cost = (long) RUN * q.size(1) * q.size(2) * ring.size(1);
        workers.each(runs, cost, run -> {
            Row row = new Row(step, q, keys, ring, selection, sink, scale);
            for (int t = run * RUN; t < Math.min(step.rows(), run * RUN + RUN); t++) {
                if (!step.isPadding(t)) {
                    row.attend(t, out, logSumExp);
                }
            }
        });
        return keys.isBf16() ? BF16 : FP32;
    }

    /** The entries that each row reads. */
    private static final class Selection {
        private final Pages pages;
        private final HostTensor ids;
        private final HostTensor counts;

        Selection(Entries entries) {
            this.pages = new Pages("attention", HostTensor.of(entries.pages()), HostTensor.of(entries.pool()));
            this.ids = HostTensor.ofNullable(entries.ids());
            this.counts = HostTensor.of(entries.counts());
        }

        void check(Step step) {
            long most = ids == null ? pages.capacity() : ids.dim(1);
            for (int t = 0; t < step.rows(); t++) {
                int count = counts.intAt(t);
                if (!step.isPadding(t) && (count < 0 || count > most)) {
                    throw new KernelException(
                            "attention: entries.counts[" + t + "] is " + count + ", allowed: 0 to " + most);
                }
            }
        }

        int count(int t) {
            return counts.intAt(t);
        }

        void read(int sequence, int t, int i, float[] target) {
            pages.read(sequence, ids == null ? i : ids.intAt(t * ids.dim(1) + i), target);
        }
    }

    /** Scratch memory of one thread's run of rows. */
    private static final class Row {
        private final Step step;
        private final HostTensor q;
        private final HostTensor keys;
        private final HostTensor ring;
        private final Selection selection;
        private final float[] sink;
        private final float scale;
        private final int heads;
        private final int d;
        private float[][] gathered = new float[0][];
        private float[][] turned;
        private float[] logits;

        Row(Step step, HostTensor q, HostTensor keys, HostTensor ring, Selection selection, float[] sink, float scale) {
            this.step = step;
            this.q = q;
            this.keys = keys;
            this.ring = ring;
            this.selection = selection;
            this.sink = sink;
            this.scale = scale;
            this.heads = q.size(1);
            this.d = q.size(2);
        }

        void attend(int t, HostTensor out, HostTensor logSumExp) {
            int n = gather(t);
            Gemm.transpose(gathered, n, d, turned);
            float[] query = q.copy((long) t * heads * d, heads * d);
            float[] sum = new float[d];
            for (int h = 0; h < heads; h++) {
                Arrays.fill(logits, 0, n, 0f);
                Gemm.accumulate(query, h * d, d, turned, 0, n, logits);
                double logOfSum = softmax(n, sink[h]);
                Arrays.fill(sum, 0f);
                Gemm.accumulate(logits, 0, n, gathered, 0, d, sum);
                out.write(sum, 0, d, ((long) t * heads + h) * d);
                if (logSumExp != null) {
                    logSumExp.setFloat((long) t * heads + h, (float) logOfSum);
                }
            }
        }

        /** Turns dot products into probabilities; returns the log of the denominator. */
        private double softmax(int n, float sinkLogit) {
            float highest = sinkLogit;
            for (int j = 0; j < n; j++) {
                logits[j] *= scale;
                highest = Math.max(highest, logits[j]);
            }
            double total = Math.exp(sinkLogit - highest);
            for (int j = 0; j < n; j++) {
                logits[j] = (float) Math.exp(logits[j] - highest);
                total += logits[j];
            }
            float factor = (float) (1 / total);
            for (int j = 0; j < n; j++) {
                logits[j] *= factor;
            }
            return highest + Math.log(total);
        }

        /** Window tokens by position, then entries in the order given; returns how many. */
        private int gather(int t) {
            int s = step.sequence(t);
            int p = step.position(t);
            int window = Math.min(ring.size(1), p + 1);
            int chosen = selection == null ? 0 : selection.count(t);
            reserve(window + chosen);
            int first = step.firstPosition(s);
            int n = 0;
            for (int token = p - window + 1; token <= p; token++) {
                if (token >= first) {
                    keys.read((long) step.rowOf(s, token) * d, gathered[n++], 0, d);
                } else {
                    int slot = step.slot(s, ring.dim(0));
                    ring.read(((long) slot * ring.size(1) + token % ring.size(1)) * d, gathered[n++], 0, d);
                }
            }
            for (int i = 0; i < chosen; i++) {
                selection.read(s, t, i, gathered[n++]);
            }
            return n;
        }

        private void reserve(int n) {
            if (n > gathered.length) {
                int size = Math.max(n, gathered.length + gathered.length / 4);
                gathered = new float[size][d];
                turned = new float[d][size];
                logits = new float[size];
            }
        }
    }
}
