package dev.plumbline.recall.verdict;

import dev.plumbline.recall.Rate;

/**
 * The loss with its 95 % interval (z = 1.959964), in shares of the pairs: 0.05 is five points. Newcombe's method 10: squares
 * and adds the distances to the Wilson limits of both rates, which agree as much as the continuity-corrected φ says.
 * Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired data",
 * Statistics in Medicine 17 (1998) 2635–2650.
 *
 * @param low lower limit, -1 or more
 * @param estimate (b - c) / n
 * @param high upper limit, 1 or less
 */
public record LossInterval(double low, double estimate, double high) {
    private static final LossInterval UNKNOWN = new LossInterval(-1, 0, 1);

    /** The interval of some pairs; without pairs it spans everything. */
    static LossInterval of(PairedCounts counts) {
        if (counts.pairs() == 0) {
            return UNKNOWN;
        }
        Rate baseline = counts.baseline();
        Rate candidate = counts.candidate();
        double phi = phi(counts);
        double loss = counts.loss();
        double down = distance(baseline.value() - baseline.low(), candidate.high() - candidate.value(), phi);
        double up = distance(candidate.value() - candidate.low(), baseline.high() - baseline.value(), phi);
        return new LossInterval(loss - down, loss, loss + up);
    }

    private static double distance(double first, double second, double phi) {
        // |φ| ≤ 1, so that only rounding can make the sum negative.
        return Math.sqrt(Math.max(0, first * first - 2 * phi * first * second + second * second));
    }

    /** The correlation of the outcomes; a positive one is taken n / 2 smaller, but not below 0. 0 if a rate is 0 or 1. */
    private static double phi(PairedCounts counts) {
        double margins = (double) counts.baselinePassed()
                * (counts.pairs() - counts.baselinePassed())
                * counts.candidatePassed()
                * (counts.pairs() - counts.candidatePassed());
        if (margins == 0) {
            return 0;
        }
        double agreement =
                (double) counts.bothPassed() * counts.bothFailed() - (double) counts.lost() * counts.gained();
        double corrected = agreement > 0 ? Math.max(0, agreement - counts.pairs() / 2.0) : agreement;
        return corrected / Math.sqrt(margins);
    }
}
