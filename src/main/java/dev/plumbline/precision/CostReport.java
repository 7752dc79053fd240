package dev.plumbline.precision;

import java.util.List;
import java.util.Map;

/**
 * What a profile costs on a model, beside another profile.
 *
 * @param layout the profile in question
 * @param base what it is compared with
 * @param terms window share and budget
 */
public record CostReport(CacheLayout layout, CacheLayout base, CostTerms terms) {

    /** The report for two profiles of a model. */
    public static CostReport of(
            Architecture architecture, PrecisionProfile profile, PrecisionProfile base, CostTerms terms) {
        return new CostReport(CacheLayout.of(architecture, profile), CacheLayout.of(architecture, base), terms);
    }

    /**
     * A request of a length, charged as the engine allocates it.
     *
     * @param tokens its length
     * @param bytesByPool what it takes
     * @param inBudget how many such requests fit in the budget
     * @param baseInBudget how many fit under the base
     */
    public record Request(long tokens, Map<Pool, Long> bytesByPool, long inBudget, long baseInBudget) {

        /** Bytes of all pools. */
        public long bytes() {
            return sum(bytesByPool);
        }
    }

    /** Bytes per token. */
    public TokenCost cost() {
        return new TokenCost(layout, terms.windowShare());
    }

    /** The same against the base. */
    public CostDifference difference() {
        return new CostDifference(new TokenCost(base, terms.windowShare()), cost());
    }

    /** Tokens that fit in the budget. */
    public long tokensInBudget() {
        return cost().tokensIn(terms.budgetBytes());
    }

    /** Tokens that fit under the base. */
    public long baseTokensInBudget() {
        return difference().base().tokensIn(terms.budgetBytes());
    }

    /** Requests of some lengths. */
    public List<Request> requests() {
        return ReportedDifference.REQUEST_TOKENS.stream()
                .map(tokens -> new Request(
                        tokens,
                        layout.requestBytes(tokens),
                        terms.budgetBytes() / sum(layout.requestBytes(tokens)),
                        terms.budgetBytes() / sum(base.requestBytes(tokens))))
                .toList();
    }

    /** How the difference moves with the window share. */
    public List<CostDifference> byWindowShare() {
        return ReportedDifference.WINDOW_SHARES.stream()
                .map(share -> difference().at(share))
                .toList();
    }

    private static long sum(Map<Pool, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
