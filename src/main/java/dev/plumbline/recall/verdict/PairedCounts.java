package dev.plumbline.recall.verdict;

import dev.plumbline.recall.Rate;

/**
 * Pairs by outcome: the four fields of a paired 2 × 2 table.
 *
 * @param bothPassed a: passed under baseline and candidate
 * @param lost b: passed under the baseline only
 * @param gained c: passed under the candidate only
 * @param bothFailed d: failed under both
 */
public record PairedCounts(int bothPassed, int lost, int gained, int bothFailed) {

    /** Checks the counts. */
    public PairedCounts {
        if (bothPassed < 0 || lost < 0 || gained < 0 || bothFailed < 0) {
            throw new IllegalArgumentException("counts of pairs are 0 or more, not a=" + bothPassed + ", b=" + lost
                    + ", c=" + gained + ", d=" + bothFailed);
        }
        Math.addExact(Math.addExact(bothPassed, lost), Math.addExact(gained, bothFailed));
    }

    /** All pairs, n. */
    public int pairs() {
        return bothPassed + lost + gained + bothFailed;
    }

    /** Pairs whose outcomes differ, b + c. */
    public int discordant() {
        return lost + gained;
    }

    /** Pairs that the baseline passed, a + b. */
    public int baselinePassed() {
        return bothPassed + lost;
    }

    /** Pairs that the candidate passed, a + c. */
    public int candidatePassed() {
        return bothPassed + gained;
    }

    /** (b - c) / n, from -1 to 1; 0 without pairs. */
    public double loss() {
        return pairs() == 0 ? 0 : (double) (lost - gained) / pairs();
    }

    /**
     * The baseline's rate with Wilson's interval.
     *
     * @throws IllegalArgumentException without pairs
     */
    public Rate baseline() {
        return new Rate(baselinePassed(), pairs());
    }

    /**
     * The candidate's rate with Wilson's interval.
     *
     * @throws IllegalArgumentException without pairs
     */
    public Rate candidate() {
        return new Rate(candidatePassed(), pairs());
    }

    /** The same pairs, and so many lost ones more. */
    PairedCounts plusLost(int more) {
        return new PairedCounts(bothPassed, lost + more, gained, bothFailed);
    }
}
