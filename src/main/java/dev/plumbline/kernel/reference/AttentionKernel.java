package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.Entries;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Variant;
import dev.plumbline.precision.AttentionDecode;
import java.util.Arrays;

/** Attention row by row: gathers the keys in order, then two matrix products around one softmax with a sink. */
final class AttentionKernel {
    private static final int RUN = 4;
    private final Workers workers;

    AttentionKernel(Workers workers) {
        this.workers = workers;
    }

    Variant attention(
            Batch batch,
            HostTensor q,
            HostTensor keys,
            PoolRows ring,
            Entries entries,
            HostTensor sinks,
            float scale,
            AttentionDecode decode,
            HostTensor out,
            HostTensor logSumExp) {
        Step step = new Step("attention", batch);
        float[] sink = sinks.copy(0, q.size(1));
        Selection selection = entries == null ? null : new Selection(entries);
        if (selection != null) {
            selection.check(step);
        }
        int runs = (step.rows() + RUN - 1) / RUN;
        long cost = (long) RUN * q.size(1) * q.size(2) * ring.format().rows();
        workers.each(runs, cost, run -> {
            Row row = new Row(step, q, keys, ring, selection, sink, scale);
            for (int t = run * RUN; t < Math.min(step.rows(), run * RUN + RUN); t++) {
                if (!step.isPadding(t)) {
                    row.attend(t, decode == AttentionDecode.MMA && step.isDecode(t), out, logSumExp);
                }
            }
        });
        return new Variant("attention." + ring.name() + (decode == AttentionDecode.MMA ? ".mma_decode" : "") + ".java");
    }

    /** The entries that each row reads. */
    private static final class Selection {
        private final Pages pages;
        private final HostTensor ids;
        private final HostTensor counts;

        Selection(Entries entries) {
            this.pages = new Pages("attention", HostTensor.of(entries.pages()), new PoolRows(entries.pool()));
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
        private final PoolRows ring;
        private final Selection selection;
        private final float[] sink;
        private final float scale;
        private final int heads;
        private final int d;
        private float[][] gathered = new float[0][];
        private float[][] turned;
        private float[] logits;
        private float factor;

        Row(Step step, HostTensor q, HostTensor keys, PoolRows ring, Selection selection, float[] sink, float scale) {
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

        void attend(int t, boolean rounded, HostTensor out, HostTensor logSumExp) {
            int n = gather(t);
            float[] query = q.copy((long) t * heads * d, heads * d);
            if (rounded) {
                Rounding.bf16(query, 0, query, 0, query.length);
                for (int j = 0; j < n; j++) {
                    Rounding.bf16(gathered[j], 0, gathered[j], 0, d);
                }
            }
            Gemm.transpose(gathered, n, d, turned);
            float[] sum = new float[d];
            for (int h = 0; h < heads; h++) {
                Arrays.fill(logits, 0, n, 0f);
                Gemm.accumulate(query, h * d, d, turned, 0, n, logits);
                double logOfSum = softmax(n, sink[h], rounded);
                Arrays.fill(sum, 0f);
                Gemm.accumulate(logits, 0, n, gathered, 0, d, sum);
                for (int i = 0; i < d && rounded; i++) {
                    sum[i] *= factor;
                }
                out.write(sum, 0, d, ((long) t * heads + h) * d);
                if (logSumExp != null) {
                    logSumExp.setFloat((long) t * heads + h, (float) logOfSum);
                }
            }
        }

        /**
         * Turns dot products into probabilities, or into rounded numerators that {@link #factor} divides; returns the
         * log of the denominator.
         */
        private double softmax(int n, float sinkLogit, boolean rounded) {
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
            factor = (float) (1 / total);
            for (int j = 0; j < n; j++) {
                logits[j] = rounded ? Rounding.bf16(logits[j]) : logits[j] * factor;
            }
            return highest + Math.log(total);
        }

        /** Window tokens by position, then entries in the order given; returns how many. */
        private int gather(int t) {
            int s = step.sequence(t);
            int p = step.position(t);
            int window = Math.min(ring.format().rows(), p + 1);
            int chosen = selection == null ? 0 : selection.count(t);
            reserve(window + chosen);
            int first = step.firstPosition(s);
            int n = 0;
            for (int token = p - window + 1; token <= p; token++) {
                if (token >= first) {
                    keys.read((long) step.rowOf(s, token) * d, gathered[n++], 0, d);
                } else {
                    ring.read(step.slot(s, ring.pages()), token % ring.format().rows(), gathered[n++]);
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
