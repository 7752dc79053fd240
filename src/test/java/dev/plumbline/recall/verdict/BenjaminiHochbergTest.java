package dev.plumbline.recall.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BenjaminiHochbergTest {

    @Test
    void theTenValuesOfTheLiteratureAreAdjustedAsThere() {
        double[] adjusted = BenjaminiHochberg.adjusted(.001, .008, .039, .041, .042, .06, .074, .205, .212, .216);

        assertThat(adjusted)
                .containsExactly(new double[] {.01, .04, .084, .084, .084, .10, .1057, .216, .216, .216}, within(5e-5));
    }

    @Test
    void theOrderOfTheInputIsKept() {
        assertThat(BenjaminiHochberg.adjusted(.212, .001, .041, .008, .042, .216, .074, .205, .06, .039))
                .containsExactly(new double[] {.216, .01, .084, .04, .084, .216, .1057, .216, .10, .084}, within(5e-5));
    }

    @Test
    void aSingleStratumIsNotAdjustedAndEqualOnesStayEqual() {
        assertThat(BenjaminiHochberg.adjusted(.03)).containsExactly(.03);
        assertThat(BenjaminiHochberg.adjusted(.03, .03, .03)).containsExactly(.03, .03, .03);
        assertThat(BenjaminiHochberg.adjusted(1, 1)).containsExactly(1, 1);
        assertThat(BenjaminiHochberg.adjusted()).isEmpty();
    }
}
