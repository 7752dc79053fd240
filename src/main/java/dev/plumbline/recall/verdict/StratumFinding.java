package dev.plumbline.recall.verdict;

/**
 * All numbers of one stratum.
 *
 * @param name the stratum
 * @param planned cells of the suite in it
 * @param counts the pairs that count
 * @param leftOut the pairs that do not
 * @param noise how often the baseline disagrees with itself here
 * @param loss the loss with its 95 % interval
 * @param highestLoss upper limit of the loss if every left-out pair is counted as lost wherever it may be
 * @param tests the tests against chance
 */
public record StratumFinding(
        String name,
        int planned,
        PairedCounts counts,
        LeftOut leftOut,
        NoiseFloor noise,
        LossInterval loss,
        double highestLoss,
        StratumTests tests) {

    /** Whether the loss is below the margin beyond doubt. */
    public boolean safe(VerdictRule rule) {
        return counts.pairs() >= rule.minimumPairs() && canShowALoss(rule) && highestLoss < rule.margin();
    }

    /** Whether both tests say that answers were lost, more than noise loses. */
    public boolean suspicious(VerdictRule rule) {
        return significant(rule) && tests.signFlip() <= rule.level() && noise.isBelow(loss.estimate());
    }

    /** Whether McNemar's adjusted test alone says so. */
    boolean significant(VerdictRule rule) {
        return tests.adjusted() <= rule.level();
    }

    /** A baseline that fails nearly everywhere has nothing to lose, and that is not safety. */
    boolean canShowALoss(VerdictRule rule) {
        return counts.baselinePassed() >= rule.margin() * counts.pairs();
    }

    /** An estimate of the cells that would settle this stratum. */
    public CellsNeeded needed(VerdictRule rule) {
        return CellsNeeded.estimate(this, rule);
    }

    /** What is the case here, in one sentence. */
    public String sentence(VerdictRule rule) {
        return Sentences.of(this, rule);
    }
}
