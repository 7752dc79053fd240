package dev.plumbline.recall.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LossIntervalTest {

    @ParameterizedTest
    @CsvSource({
        "36, 12, 2, 0, .2000, .0569, .3404",
        "20, 12, 2, 16, .2000, .0562, .3292",
        "180, 8, 1, 11, .0350, .0035, .0717",
        "30, 0, 0, 0, 0, -.1135, .1135"
    })
    void theLimitsAreNewcombes(int a, int b, int c, int d, double loss, double low, double high) {
        LossInterval interval = LossInterval.of(new PairedCounts(a, b, c, d));

        assertThat(interval.estimate()).isCloseTo(loss, within(5e-5));
        assertThat(interval.low()).isCloseTo(low, within(5e-5));
        assertThat(interval.high()).isCloseTo(high, within(5e-5));
    }

    @ParameterizedTest
    @CsvSource({"0.05, 73", "0.02, 189"})
    void soManyPairsShowAtLeastThatLessThanTheMarginIsLost(double margin, int pairs) {
        assertThat(VerdictRule.withMargin(margin).minimumPairs()).isEqualTo(pairs);
    }

    @Test
    void theMinimumIsTheFirstThatSufficesForEveryMargin() {
        for (int permille = 1; permille <= 500; permille += 7) {
            double margin = permille / 1000.0;
            int minimum = MinimumEvidence.pairs(margin);

            assertThat(LossInterval.of(new PairedCounts(minimum, 0, 0, 0)).high())
                    .isLessThan(margin);
            assertThat(LossInterval.of(new PairedCounts(minimum - 1, 0, 0, 0)).high())
                    .isGreaterThanOrEqualTo(margin);
        }
    }

    @Test
    void turningThePairsAroundTurnsTheIntervalAround() {
        everyTable((a, b, c, d) -> {
            LossInterval interval = LossInterval.of(new PairedCounts(a, b, c, d));
            LossInterval turned = LossInterval.of(new PairedCounts(a, c, b, d));

            assertThat(interval.low()).isCloseTo(-turned.high(), within(1e-12));
            assertThat(interval.high()).isCloseTo(-turned.low(), within(1e-12));
        });
    }

    @Test
    void theEstimateLiesWithinLimitsThatAreShares() {
        everyTable((a, b, c, d) -> {
            LossInterval interval = LossInterval.of(new PairedCounts(a, b, c, d));

            assertThat(interval.estimate()).isBetween(interval.low(), interval.high());
            assertThat(interval.low()).isGreaterThanOrEqualTo(-1 - 1e-12);
            assertThat(interval.high()).isLessThanOrEqualTo(1 + 1e-12);
        });
    }

    @Test
    void everyPassedPairThatIsLostRaisesBothLimits() {
        for (int pairs : new int[] {10, 73, 128}) {
            for (int lost = 0; lost < pairs; lost++) {
                LossInterval fewer = LossInterval.of(new PairedCounts(pairs - lost, lost, 0, 0));
                LossInterval more = LossInterval.of(new PairedCounts(pairs - lost - 1, lost + 1, 0, 0));

                assertThat(more.high()).isGreaterThan(fewer.high());
                assertThat(more.low()).isGreaterThan(fewer.low());
            }
        }
    }

    @Test
    void tenTimesThePairsNarrowTheInterval() {
        LossInterval few = LossInterval.of(new PairedCounts(90, 6, 1, 3));
        LossInterval many = LossInterval.of(new PairedCounts(900, 60, 10, 30));

        assertThat(many.estimate()).isEqualTo(few.estimate());
        assertThat(many.high() - many.low()).isLessThan((few.high() - few.low()) / 2.5);
    }

    @Test
    void withoutPairsAnythingMayBeLost() {
        assertThat(LossInterval.of(new PairedCounts(0, 0, 0, 0))).isEqualTo(new LossInterval(-1, 0, 1));
    }

    private interface Table {
        void of(int a, int b, int c, int d);
    }

    private static void everyTable(Table check) {
        int most = 6;
        for (int a = 0; a <= most; a++) {
            for (int b = 0; b <= most; b++) {
                for (int c = 0; c <= most; c++) {
                    for (int d = 0; d <= most; d++) {
                        if (a + b + c + d > 0) {
                            check.of(a, b, c, d);
                        }
                    }
                }
            }
        }
    }
}
