package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Variant;
import dev.plumbline.precision.TopkAlgorithm;
import java.util.Arrays;

/** Selection of the highest scores over their ordered unsigned image: −0 becomes +0 and NaN becomes −∞. */
final class TopKKernel {
    private static final Variant RADIX = new Variant("topk.radix.java");
    private static final Variant SORT = new Variant("topk.sort.java");

    private final Workers workers;

    TopKKernel(Workers workers) {
        this.workers = workers;
    }

    Variant topK(HostTensor scores, HostTensor counts, TopkAlgorithm algorithm, HostTensor ids, HostTensor found) {
        int rows = scores.size(0);
        int budget = ids.size(1);
        for (int i = 0; i < rows; i++) {
            int count = counts.intAt(i);
            if (count < 0 || count > scores.dim(1)) {
                throw new KernelException("topK: counts[" + i + "] is " + count + ", allowed: 0 to " + scores.dim(1));
            }
        }
        workers.each(rows, 6 * scores.dim(1) + budget, i -> {
            int count = counts.intAt(i);
            float[] row = scores.copy(i * scores.dim(1), count);
            int[] chosen = new int[budget];
            Arrays.fill(chosen, -1);
            int k = Math.min(count, budget);
            if (algorithm == TopkAlgorithm.SORT) {
                sort(row, k, chosen);
            } else {
                radix(row, k, chosen);
            }
            ids.write(chosen, 0, budget, (long) i * budget);
            found.setInt(i, k);
        });
        return algorithm == TopkAlgorithm.SORT ? SORT : RADIX;
    }

    /** Unsigned integers in the order of the scores. */
    static int image(float score) {
        if (score != score) {
            return image(Float.NEGATIVE_INFINITY);
        }
        int bits = Float.floatToRawIntBits(score + 0f);
        return bits < 0 ? ~bits : bits | 0x80000000;
    }

    private static void radix(float[] row, int k, int[] chosen) {
        if (k == 0) {
            return;
        }
        int cut = 0;
        int mask = 0;
        int wanted = k;
        for (int shift = 24; shift >= 0; shift -= 8) {
            int[] histogram = new int[256];
            for (float score : row) {
                int image = image(score);
                if ((image & mask) == cut) {
                    histogram[(image >>> shift) & 255]++;
                }
            }
            int digit = 255;
            while (histogram[digit] < wanted) {
                wanted -= histogram[digit--];
            }
            cut |= digit << shift;
            mask |= 255 << shift;
        }
        int n = 0;
        for (int e = 0; n < k; e++) {
            int order = Integer.compareUnsigned(image(row[e]), cut);
            if (order > 0 || order == 0 && wanted-- > 0) {
                chosen[n++] = e;
            }
        }
    }

    private static void sort(float[] row, int k, int[] chosen) {
        long[] order = new long[row.length];
        for (int e = 0; e < row.length; e++) {
            order[e] = ((long) (~image(row[e]) ^ 0x80000000) << 32) | e;
        }
        Arrays.sort(order);
        for (int i = 0; i < k; i++) {
            chosen[i] = (int) order[i];
        }
        Arrays.sort(chosen, 0, k);
    }
}
