package dev.plumbline.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateTest {

    @ParameterizedTest
    @CsvSource({
        "10, 10, .7225, 1, .7871",
        "20, 20, .8389, 1, .8808",
        "50, 50, .9287, 1, .9487",
        "95, 100, .8882, .9785, .9008",
        "19, 20, .7639, .9911, .8040",
        "0, 10, 0, .2775, 0"
    })
    void theIntervalIsWilsons(int passed, int asked, double low, double high, double atLeast) {
        Rate rate = new Rate(passed, asked);

        assertThat(rate.atLeast()).isCloseTo(atLeast, within(5e-5));

        assertThat(rate.low()).isCloseTo(low, within(5e-5));
        assertThat(rate.high()).isCloseTo(high, within(5e-5));
        assertThat(rate.value()).isBetween(rate.low(), rate.high());
    }

    @ParameterizedTest
    @CsvSource({".90, 25", ".95, 52", ".98, 133", ".99, 268"})
    void soManyCellsMustPassWithoutAMissToClaimARate(double claim, int cells) {
        assertThat(new Rate(cells, cells).atLeast()).isGreaterThanOrEqualTo(claim);
        assertThat(new Rate(cells - 1, cells - 1).atLeast()).isLessThan(claim);
    }

    @Test
    void nothingAskedIsNoRate() {
        assertThatThrownBy(() -> new Rate(0, 0)).hasMessage("0 of 0 is no rate");
    }
}
