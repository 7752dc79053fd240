package dev.plumbline.recall.verdict;

/** The least evidence that can make a stratum safe. */
final class MinimumEvidence {
    private MinimumEvidence() {}

    /** Smallest number of pairs, all passed twice, whose upper limit of the loss is below the margin. */
    static int pairs(double margin) {
        int enough = 1;
        while (!suffices(enough, margin)) {
            enough *= 2;
        }
        // More pairs that all passed twice never raise the limit.
        int tooFew = enough / 2;
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) / 2;
            if (suffices(middle, margin)) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return enough;
    }

    private static boolean suffices(int pairs, double margin) {
        return LossInterval.of(new PairedCounts(pairs, 0, 0, 0)).high() < margin;
    }
}
