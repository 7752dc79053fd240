package dev.plumbline.recall;

import org.apache.commons.statistics.interval.BinomialConfidenceInterval;
import org.apache.commons.statistics.interval.Interval;

/**
 * Passed cells out of asked ones.
 *
 * @param passed right answers
 * @param asked cells, at least one
 */
public record Rate(int passed, int asked) {
    private static final double ERROR_RATE = 0.05;

    /** Checks the counts. */
    public Rate {
        if (asked < 1 || passed < 0 || passed > asked) {
            throw new IllegalArgumentException(passed + " of " + asked + " is no rate");
        }
    }

    /** The share that passed, 0 to 1. */
    public double value() {
        return (double) passed / asked;
    }

    /** Lower end of the 95 % Wilson score interval. */
    public double low() {
        // The library's ends miss 0 and 1 by rounding when all cells agree.
        return passed == 0 ? 0 : interval().getLowerBound();
    }

    /** Upper end of the 95 % Wilson score interval. */
    public double high() {
        return passed == asked ? 1 : interval().getUpperBound();
    }

    /** One-sided 95 % lower bound by Wilson's score: what may be claimed when only too low a rate would matter. */
    public double atLeast() {
        return passed == 0 ? 0 : interval(2 * ERROR_RATE).getLowerBound();
    }

    private Interval interval() {
        return interval(ERROR_RATE);
    }

    private Interval interval(double errorRate) {
        return BinomialConfidenceInterval.WILSON_SCORE.fromErrorRate(asked, passed, errorRate);
    }
}
