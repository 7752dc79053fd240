package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Sampling;
import dev.plumbline.kernel.Variant;
import java.util.Arrays;

/** Sampling by the steps that {@link Sampling} lists. */
final class SampleKernel {
    private static final Variant VARIANT = new Variant("sample.philox.java");

    private final Workers workers;

    SampleKernel(Workers workers) {
        this.workers = workers;
    }

    Variant sample(HostTensor logits, Sampling sampling, HostTensor ids) {
        int rows = logits.size(0);
        int vocabulary = logits.size(1);
        workers.each(rows, 40L * vocabulary, i -> {
            long at = (long) i * vocabulary;
            adjust(logits, at, vocabulary, sampling, i);
            ids.setInt(i, choose(logits.copy(at, vocabulary), sampling, i));
        });
        return VARIANT;
    }

    private static void adjust(HostTensor logits, long at, int vocabulary, Sampling sampling, int i) {
        HostTensor starts = HostTensor.of(sampling.adjustmentStart());
        HostTensor tokens = HostTensor.of(sampling.adjustmentToken());
        HostTensor values = HostTensor.of(sampling.adjustment());
        int from = starts.intAt(i);
        int to = starts.intAt(i + 1);
        if (from < 0 || to < from || to > tokens.dim(0)) {
            throw new KernelException("sample: adjustments of row " + i + " are " + from + " to " + to
                    + ", allowed: ascending, at most " + tokens.dim(0));
        }
        for (int a = from; a < to; a++) {
            int token = tokens.intAt(a);
            if (token < 0 || token >= vocabulary) {
                throw new KernelException(
                        "sample: adjustmentToken[" + a + "] is " + token + ", allowed: 0 to " + (vocabulary - 1));
            }
            logits.setFloat(at + token, logits.floatAt(at + token) + values.floatAt(a));
        }
    }

    private static int choose(float[] logits, Sampling sampling, int i) {
        int best = 0;
        for (int v = 0; v < logits.length; v++) {
            if (logits[v] != logits[v]) {
                logits[v] = Float.NEGATIVE_INFINITY;
            }
            if (logits[v] > logits[best]) {
                best = v;
            }
        }
        float temperature = HostTensor.of(sampling.temperature()).floatAt(i);
        if (!(temperature > 0) || Float.isInfinite(logits[best])) {
            return best;
        }
        HostTensor seed = HostTensor.of(sampling.seed());
        double u = Philox.uniform(
                HostTensor.of(sampling.position()).intAt(i),
                HostTensor.of(sampling.choice()).intAt(i),
                seed.intAt(2L * i),
                seed.intAt(2L * i + 1));
        return draw(logits, temperature, HostTensor.of(sampling.topP()).floatAt(i), u);
    }

    private static int draw(float[] logits, float temperature, float topP, double u) {
        long[] order = new long[logits.length];
        for (int v = 0; v < order.length; v++) {
            order[v] = ((long) (~TopKKernel.image(logits[v]) ^ 0x80000000) << 32) | v;
        }
        Arrays.sort(order);
        double highest = logits[(int) order[0]];
        double[] running = new double[order.length];
        double total = 0;
        for (int r = 0; r < order.length; r++) {
            total += Math.exp((logits[(int) order[r]] - highest) / temperature);
            running[r] = total;
        }
        int last = 0;
        while (last < running.length - 1 && !(running[last] >= topP * total)) {
            last++;
        }
        double bound = u * running[last];
        int r = 0;
        while (r < last && !(running[r] > bound)) {
            r++;
        }
        return (int) order[r];
    }
}
