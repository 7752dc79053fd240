package dev.plumbline.recall.verdict;

import java.util.List;
import java.util.Map;

/**
 * When a candidate is called safe and when it is called a regression. Every stratum of the pairing is required.
 *
 * <ul>
 *   <li>SAFE: in every stratum there are at least {@link #minimumPairs} pairs, the baseline passed enough of them that a loss
 *       of the margin could show, and the upper limit of the loss is below the margin, even if every pair that was left out
 *       is counted as lost wherever it may be.
 *   <li>REGRESSION: otherwise, if in some stratum McNemar's exact one-sided test, adjusted by Benjamini and Hochberg over
 *       all strata, and the one-sided sign-flip test over haystacks are both at or below the level, the loss is above the
 *       noise floor, and all of this is so again on fresh cells of the strata in question.
 *   <li>NOT ENOUGH EVIDENCE: otherwise. No visible difference is never SAFE by itself.
 * </ul>
 *
 * @param margin loss that is still accepted, as a share: 0.05 is five points
 * @param level error rate of the tests
 */
public record VerdictRule(double margin, double level) {
    /** Five points and 5 %. */
    public static final VerdictRule STANDARD = new VerdictRule(0.05, 0.05);

    private static final double LEAST_MARGIN = 0.001;
    private static final double MOST_MARGIN = 0.5;
    private static final double MOST_LEVEL = 0.2;

    /** Checks the bounds. */
    public VerdictRule {
        if (!(margin >= LEAST_MARGIN && margin <= MOST_MARGIN)) {
            throw new IllegalArgumentException(
                    "margin is " + margin + "; allowed: " + LEAST_MARGIN + " to " + MOST_MARGIN);
        }
        if (!(level > 0 && level <= MOST_LEVEL)) {
            throw new IllegalArgumentException("level is " + level + "; allowed: above 0, up to " + MOST_LEVEL);
        }
    }

    /** The standard rule with another margin, as a share. */
    public static VerdictRule withMargin(double margin) {
        return new VerdictRule(margin, STANDARD.level);
    }

    /** Fewest pairs that can show that less than the margin is lost: when none is lost, gained or failed. */
    public int minimumPairs() {
        return MinimumEvidence.pairs(margin);
    }

    /**
     * Looks at the pairs of a baseline and a candidate.
     *
     * @param pairs all strata of the suite
     * @param noise the noise floor of every stratum, measured on the baseline
     * @return a verdict, or the demand to repeat a loss on fresh cells
     * @throws IllegalArgumentException if there are no strata, or one has no noise floor
     */
    public Outcome judge(Pairing pairs, Map<String, NoiseFloor> noise) {
        if (pairs.strata().isEmpty()) {
            throw new IllegalArgumentException("there is no stratum to judge");
        }
        List<StratumFinding> findings = Findings.of(pairs.strata(), noise);
        if (findings.stream().allMatch(finding -> finding.safe(this))) {
            return new Safe(this, findings);
        }
        return findings.stream().anyMatch(finding -> finding.suspicious(this))
                ? new NeedsConfirmation(this, findings, pairs)
                : new NotEnoughEvidence(this, findings, List.of());
    }
}
