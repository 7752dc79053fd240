package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Variant;

/** Log softmax of the chosen and of the most probable tokens. */
final class LogProbabilityKernel {
    private static final Variant VARIANT = new Variant("logProbabilities.fp32.java");

    private final Workers workers;

    LogProbabilityKernel(Workers workers) {
        this.workers = workers;
    }

    Variant run(HostTensor logits, HostTensor ids, HostTensor chosen, HostTensor topIds, HostTensor top) {
        int vocabulary = logits.size(1);
        workers.each(logits.size(0), 20L * vocabulary, i -> {
            float[] row = logits.copy((long) i * vocabulary, vocabulary);
            int id = ids.intAt(i);
            if (id < 0 || id >= vocabulary) {
                throw new KernelException(
                        "logProbabilities: ids[" + i + "] is " + id + ", allowed: 0 to " + (vocabulary - 1));
            }
            double logSum = logSum(row);
            chosen.setFloat(i, (float) (row[id] - logSum));
            for (int k = 0; k < topIds.size(1); k++) {
                long at = (long) i * topIds.size(1) + k;
                int best = highest(row);
                topIds.setInt(at, best);
                top.setFloat(at, (float) (row[best] - logSum));
                row[best] = Float.NaN;
            }
        });
        return VARIANT;
    }

    /** Log of the sum of exponentials; turns NaN into −∞ on the way. */
    private static double logSum(float[] row) {
        float highest = Float.NEGATIVE_INFINITY;
        for (int v = 0; v < row.length; v++) {
            row[v] = row[v] != row[v] ? Float.NEGATIVE_INFINITY : row[v];
            highest = Math.max(highest, row[v]);
        }
        double sum = 0;
        for (float logit : row) {
            sum += Math.exp((double) logit - highest);
        }
        return highest + Math.log(sum);
    }

    /** The highest of what is not yet taken (taken = NaN), the first of equals. */
    private static int highest(float[] row) {
        int best = -1;
        for (int v = 0; v < row.length; v++) {
            if (row[v] == row[v] && (best < 0 || row[v] > row[best])) {
                best = v;
            }
        }
        return best;
    }
}
