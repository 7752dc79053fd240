package dev.plumbline.recall.verdict;

import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * How many cells more would settle a stratum if all rates stayed as observed. An estimate: the next cells may differ. Left-out
 * pairs are taken as asked again and answered like the rest, and clusters are not considered.
 *
 * @param forSafe until the upper limit of the loss is below the margin; empty if it never is
 * @param forRegression until McNemar's test is at the level in the worst case of the adjustment; empty if it never is
 */
public record CellsNeeded(OptionalInt forSafe, OptionalInt forRegression) {
    private static final int MOST_PAIRS = 1 << 20;

    static CellsNeeded estimate(StratumFinding finding, VerdictRule rule) {
        PairedCounts counts = finding.counts();
        int minimum = Math.max(rule.minimumPairs(), counts.pairs());
        if (counts.pairs() == 0) {
            return new CellsNeeded(OptionalInt.of(minimum), OptionalInt.empty());
        }
        OptionalInt safe = finding.canShowALoss(rule)
                ? search(counts, minimum, some -> LossInterval.of(some).high() < rule.margin())
                : OptionalInt.empty();
        OptionalInt regression = finding.noise().isBelow(counts.loss())
                ? search(
                        counts,
                        counts.pairs(),
                        some -> McNemar.oneSided(some) * finding.tests().family() <= rule.level())
                : OptionalInt.empty();
        return new CellsNeeded(safe, regression);
    }

    /** Additional pairs until the rule holds: doubles the pairs, then halves the step. */
    private static OptionalInt search(PairedCounts counts, int from, Predicate<PairedCounts> holds) {
        if (holds.test(scaled(counts, from))) {
            return OptionalInt.of(from - counts.pairs());
        }
        int tooFew = from;
        int enough = from * 2;
        while (!holds.test(scaled(counts, enough))) {
            if (enough > MOST_PAIRS) {
                return OptionalInt.empty();
            }
            tooFew = enough;
            enough *= 2;
        }
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) / 2;
            if (holds.test(scaled(counts, middle))) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return OptionalInt.of(enough - counts.pairs());
    }

    private static PairedCounts scaled(PairedCounts counts, int pairs) {
        double factor = (double) pairs / counts.pairs();
        int lost = (int) Math.round(counts.lost() * factor);
        int gained = Math.min(pairs - lost, (int) Math.round(counts.gained() * factor));
        int failed = Math.min(pairs - lost - gained, (int) Math.round(counts.bothFailed() * factor));
        return new PairedCounts(pairs - lost - gained - failed, lost, gained, failed);
    }
}
