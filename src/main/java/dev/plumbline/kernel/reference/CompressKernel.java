package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.CompressorWeights;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.KeyTransform;
import dev.plumbline.kernel.Variant;
import java.util.Arrays;

/** Pools every window that a row of the step closes: per channel a softmax over the slots (spec 3.5, 3.6). */
final class CompressKernel {
    private final Workers workers;

    CompressKernel(Workers workers) {
        this.workers = workers;
    }

    Variant compress(
            Batch batch,
            CompressorWeights weights,
            HostTensor projected,
            HostTensor state,
            HostTensor pages,
            PoolRows pool,
            KeyTransform transform,
            HostTensor shadow) {
        Step step = new Step("compress", batch);
        int m = weights.ratio();
        int[] closing = new int[step.rows()];
        int count = 0;
        for (int t = 0; t < step.rows(); t++) {
            if (!step.isPadding(t) && (step.position(t) + 1) % m == 0) {
                closing[count++] = t;
            }
        }
        Pages entries = new Pages("compress", pages, pool);
        int d = weights.headDim();
        float[] ape = HostTensor.of(weights.ape()).copy(0, m * weights.series() * d);
        float[] norm = HostTensor.of(weights.norm()).copy(0, d);
        HostTensor frequencies = HostTensor.of(weights.frequencies());
        float[] own = frequencies.copy(0, frequencies.size(0));
        workers.each(count, 30L * weights.stateTokens() * d, i -> {
            int t = closing[i];
            int entry = step.position(t) / m;
            float[] pooled = new Window(step, step.sequence(t), weights, ape, projected, state).pool(entry);
            NormKernels.norm(pooled, 0, d, norm, weights.eps(), pooled, 0);
            float[] turn = new float[2 * own.length];
            NormKernels.turn((float) (entry * m), own, turn, 0);
            NormKernels.rotate(pooled, d - turn.length, turn, 0, turn.length, false);
            if (shadow != null) {
                long row = entries.page(step.sequence(t), entry) * Kernels.PAGE_ENTRIES + Pages.row(entry);
                shadow.write(pooled, 0, d, row * d);
            }
            Transforms.apply(transform, pooled, 0, d, turn.length);
            entries.write(step.sequence(t), entry, pooled);
        });
        return new Variant("compress." + pool.name()
                + (transform == KeyTransform.NONE ? "" : "." + Transforms.name(transform)) + ".java");
    }

    /** The slots of one window: rows of this step, earlier ones from the ring. */
    private record Window(
            Step step, int sequence, CompressorWeights weights, float[] ape, HostTensor projected, HostTensor state) {

        float[] pool(int entry) {
            int m = weights.ratio();
            int d = weights.headDim();
            int slots = weights.overlapping() && entry > 0 ? 2 * m : m;
            float[][] values = new float[slots][d];
            float[][] gates = new float[slots][d];
            for (int i = 0; i < slots; i++) {
                int token = (entry + 1) * m - slots + i;
                int series = weights.overlapping() && token >= entry * m ? 1 : 0;
                load(token, series, values[i], gates[i]);
            }
            return softmaxPool(values, gates, d);
        }

        private void load(int token, int series, float[] values, float[] gates) {
            int d = weights.headDim();
            int width = weights.projectedWidth();
            HostTensor source;
            long at;
            if (token >= step.firstPosition(sequence)) {
                source = projected;
                at = (long) step.rowOf(sequence, token) * width;
            } else {
                source = state;
                int ring = state.size(1);
                at = ((long) step.slot(sequence, state.dim(0)) * ring + token % ring) * width;
            }
            float[] row = source.floats(at, width);
            int place = source.place(at);
            int gate = place + weights.series() * d + series * d;
            int bias = (token % weights.ratio()) * weights.series() * d + series * d;
            for (int i = 0; i < d; i++) {
                values[i] = row[place + series * d + i];
                gates[i] = row[gate + i] + ape[bias + i];
            }
        }

        private static float[] softmaxPool(float[][] values, float[][] gates, int d) {
            float[] highest = new float[d];
            Arrays.fill(highest, Float.NEGATIVE_INFINITY);
            for (float[] gate : gates) {
                for (int i = 0; i < d; i++) {
                    highest[i] = Math.max(highest[i], gate[i]);
                }
            }
            float[] sum = new float[d];
            float[] total = new float[d];
            for (int s = 0; s < gates.length; s++) {
                for (int i = 0; i < d; i++) {
                    float weight = (float) Math.exp(gates[s][i] - highest[i]);
                    total[i] += weight;
                    sum[i] += weight * values[s][i];
                }
            }
            for (int i = 0; i < d; i++) {
                sum[i] /= total[i];
            }
            return sum;
        }
    }
}
