package dev.plumbline.precision;

import java.util.OptionalDouble;

/**
 * What a candidate costs against a base, both at the same window share.
 *
 * @param base what it is compared with
 * @param candidate what is compared
 */
public record CostDifference(TokenCost base, TokenCost candidate) {

    /** Difference in bytes per token, in percent of the base. */
    public double bytesPercent() {
        return percent(candidate.bytes(), base.bytes());
    }

    /** Difference in tokens that fit in the same memory, in percent of the base: the reciprocal of the same ratio. */
    public double tokensPercent() {
        return percent(base.bytes(), candidate.bytes());
    }

    /** The same two at another share. */
    public CostDifference at(double windowShare) {
        return new CostDifference(base.withWindowShare(windowShare), candidate.withWindowShare(windowShare));
    }

    /**
     * The window share at which the difference in bytes per token is {@code percent}; empty if no share from 0 to 1
     * gives it. Both costs are linear in the share.
     */
    public OptionalDouble windowShareFor(double percent) {
        double ratio = 1 + percent / 100;
        double atNone = at(0).candidate.bytes() - ratio * at(0).base.bytes();
        double atAll = at(1).candidate.bytes() - ratio * at(1).base.bytes();
        double share = atNone / (atNone - atAll);
        return share >= 0 && share <= 1 ? OptionalDouble.of(share) : OptionalDouble.empty();
    }

    /** Equal costs do not differ, also where both are nothing. */
    private static double percent(double value, double of) {
        return value == of ? 0 : 100 * (value / of - 1);
    }
}
