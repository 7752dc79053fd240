package dev.plumbline.recall.verdict;

import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.BinomialTest;

/**
 * McNemar's exact test: if nothing changed, a pair whose outcomes differ is as likely lost as gained. Fagerland, Lydersen
 * and Laake, "The McNemar test for binary matched-pairs data", BMC Medical Research Methodology 13:91 (2013).
 */
final class McNemar {
    private static final double FAIR = 0.5;

    private McNemar() {}

    /** P[Bin(b + c, ½) ≥ b]: how often chance loses as many of these pairs. */
    static double oneSided(PairedCounts counts) {
        return atLeast(counts.lost(), counts.discordant());
    }

    /** min(1, 2 P[Bin(b + c, ½) ≤ min(b, c)]): how often chance is as uneven in either direction. */
    static double twoSided(PairedCounts counts) {
        // The library's own two-sided test compares probabilities that are equal but for rounding.
        return Math.min(1, 2 * atLeast(Math.max(counts.lost(), counts.gained()), counts.discordant()));
    }

    /** The two-sided probability with the observed split counted by half: nearer to its level, not always below. */
    static double midP(PairedCounts counts) {
        if (counts.discordant() == 0) {
            return 1;
        }
        double observed = BinomialDistribution.of(counts.discordant(), FAIR)
                .probability(Math.min(counts.lost(), counts.gained()));
        return counts.lost() == counts.gained() ? 1 - observed / 2 : twoSided(counts) - observed;
    }

    private static double atLeast(int successes, int trials) {
        if (trials == 0) {
            return 1;
        }
        return BinomialTest.withDefaults()
                .with(AlternativeHypothesis.GREATER_THAN)
                .test(trials, successes, FAIR)
                .getPValue();
    }
}
