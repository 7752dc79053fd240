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
        "10, 10, .7225, 1",
        "20, 20, .8389, 1",
        "50, 50, .9287, 1",
        "95, 100, .8882, .9785",
        "19, 20, .7639, .9911",
        "0, 10, 0, .2775"
    })
    void theIntervalIsWilsons(int passed, int asked, double low, double high) {
        Rate rate = new Rate(passed, asked);

        assertThat(rate.low()).isCloseTo(low, within(5e-5));
        assertThat(rate.high()).isCloseTo(high, within(5e-5));
        assertThat(rate.value()).isBetween(rate.low(), rate.high());
    }

    @Test
    void nothingAskedIsNoRate() {
        assertThatThrownBy(() -> new Rate(0, 0)).hasMessage("0 of 0 is no rate");
    }
}
