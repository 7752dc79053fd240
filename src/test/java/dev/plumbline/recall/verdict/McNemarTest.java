package dev.plumbline.recall.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class McNemarTest {
    private static final double LEVEL = 0.05;

    @ParameterizedTest
    @CsvSource({
        "5, 0, 0.062500, 0.031250, 0.031250",
        "6, 0, 0.031250, 0.015625, 0.015625",
        "8, 1, 0.039062, 0.021484, 0.019531",
        "10, 2, 0.038574, 0.022461, 0.019287",
        "12, 3, 0.035156, 0.021271, 0.017578",
        "16, 4, 0.011818, 0.007197, 0.005909",
        "3, 3, 1.000000, 0.843750, 0.656250",
        "0, 0, 1, 1, 1"
    })
    void theProbabilitiesAreTheExactOnes(int lost, int gained, double twoSided, double midP, double oneSided) {
        PairedCounts counts = new PairedCounts(50, lost, gained, 7);

        assertThat(McNemar.twoSided(counts)).isCloseTo(twoSided, within(1e-6));
        assertThat(McNemar.midP(counts)).isCloseTo(midP, within(1e-6));
        assertThat(McNemar.oneSided(counts)).isCloseTo(oneSided, within(1e-6));
    }

    @Test
    void pairsThatAgreeSayNothing() {
        assertThat(McNemar.oneSided(new PairedCounts(0, 9, 2, 0)))
                .isEqualTo(McNemar.oneSided(new PairedCounts(1000, 9, 2, 500)));
    }

    @Test
    void lossAndGainAreTreatedAlike() {
        for (int lost = 0; lost <= 12; lost++) {
            for (int gained = 0; gained <= 12; gained++) {
                PairedCounts counts = new PairedCounts(20, lost, gained, 3);
                PairedCounts turned = new PairedCounts(20, gained, lost, 3);

                assertThat(McNemar.twoSided(counts)).isCloseTo(McNemar.twoSided(turned), within(1e-12));
                assertThat(McNemar.midP(counts)).isCloseTo(McNemar.midP(turned), within(1e-12));
                assertThat(McNemar.midP(counts)).isLessThanOrEqualTo(McNemar.twoSided(counts));
            }
        }
    }

    @Test
    void oneMoreLostPairIsNeverLessSuspicious() {
        for (int gained = 0; gained <= 10; gained++) {
            for (int lost = 0; lost <= 30; lost++) {
                assertThat(McNemar.oneSided(new PairedCounts(0, lost + 1, gained, 0)))
                        .isLessThanOrEqualTo(McNemar.oneSided(new PairedCounts(0, lost, gained, 0)));
            }
        }
    }

    @Test
    void fiveLostPairsAreTheFewestThatCanShowARegression() {
        assertThat(McNemar.oneSided(new PairedCounts(95, 4, 0, 1))).isGreaterThan(LEVEL);
        assertThat(McNemar.oneSided(new PairedCounts(95, 5, 0, 0))).isLessThan(LEVEL);
        assertThat(McNemar.twoSided(new PairedCounts(95, 5, 0, 0))).isGreaterThan(LEVEL);
        assertThat(McNemar.twoSided(new PairedCounts(94, 6, 0, 0))).isLessThan(LEVEL);
    }

    @ParameterizedTest
    @CsvSource({"40, .22, .02", "81, .11, .01", "192, .06, .01", "136, .05, 0", "372, .04, .01"})
    void aTrueLossIsSeenFourTimesInFiveByTheKnownNumberOfPairs(int pairs, double lost, double gained) {
        assertThat(power(pairs, lost, gained)).isCloseTo(0.80, within(0.02));
    }

    /** How often the one-sided test alone is significant: over all numbers of discordant pairs, and all their splits. */
    private static double power(int pairs, double lost, double gained) {
        BinomialDistribution discordant = BinomialDistribution.of(pairs, lost + gained);
        double power = 0;
        for (int total = 1; total <= pairs; total++) {
            BinomialDistribution split = BinomialDistribution.of(total, lost / (lost + gained));
            for (int b = 0; b <= total; b++) {
                double chance = discordant.probability(total) * split.probability(b);
                if (chance > 1e-12 && McNemar.oneSided(new PairedCounts(0, b, total - b, 0)) <= LEVEL) {
                    power += chance;
                }
            }
        }
        return power;
    }
}
