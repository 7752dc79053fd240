package dev.plumbline.precision;

import java.math.BigDecimal;

/**
 * On which terms costs are compared.
 *
 * @param windowShare tokens that have a place in the window, per token of context
 * @param budgetBytes memory for caches
 */
public record CostTerms(double windowShare, long budgetBytes) {
    private static final int LONGEST = 20;
    private static final BigDecimal MOST_GIB = BigDecimal.valueOf(1 << 20);
    private static final BigDecimal GIB = BigDecimal.valueOf(1 << 30);

    /** The published window share and 10 GiB. */
    public static final CostTerms DEFAULT = new CostTerms(TokenCost.PUBLISHED_WINDOW_SHARE, 10L << 30);

    /**
     * Reads what a person wrote; null leaves a term at its default.
     *
     * @param windowShare 0 to 1
     * @param budgetGib above 0, in GiB
     * @throws CostInputException naming the term, its value and what is allowed
     */
    public static CostTerms parse(String windowShare, String budgetGib) {
        double share = DEFAULT.windowShare;
        if (windowShare != null) {
            String allowed = "a number from 0 to 1";
            BigDecimal number = number("window_share", windowShare, allowed);
            if (number.signum() < 0 || number.compareTo(BigDecimal.ONE) > 0) {
                throw new CostInputException("window_share", windowShare, allowed);
            }
            share = number.doubleValue();
        }
        return new CostTerms(share, budgetGib == null ? DEFAULT.budgetBytes : bytes(budgetGib));
    }

    private static long bytes(String budgetGib) {
        String allowed = "a number above 0, at most " + MOST_GIB;
        BigDecimal number = number("budget_gib", budgetGib, allowed);
        if (number.signum() <= 0 || number.compareTo(MOST_GIB) > 0) {
            throw new CostInputException("budget_gib", budgetGib, allowed);
        }
        return number.multiply(GIB).longValue();
    }

    /** A short decimal number without an exponent: nothing that takes time to read. */
    private static BigDecimal number(String field, String text, String allowed) {
        if (text.length() > LONGEST || !text.matches("-?[0-9]+(\\.[0-9]+)?")) {
            throw new CostInputException(field, text, allowed);
        }
        return new BigDecimal(text);
    }
}
