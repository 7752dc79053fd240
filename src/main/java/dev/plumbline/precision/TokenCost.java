package dev.plumbline.precision;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Bytes per token of context when many requests share a pool, by the formula that serving engines publish: entries and
 * index keys are charged to every token, window and CSA state to a share of the tokens, since a long context keeps only
 * its last ones. The HCA state belongs to the request and is not in it.
 *
 * @param layout rows of the model under a profile
 * @param windowShare tokens that have a place in the window, per token of context; 0 to 1
 */
public record TokenCost(CacheLayout layout, double windowShare) {

    /** The share in the recipes that engines publish for this architecture. */
    public static final double PUBLISHED_WINDOW_SHARE = 0.1;

    /** Checks the share. */
    public TokenCost {
        if (!(windowShare >= 0 && windowShare <= 1)) {
            throw new IllegalArgumentException("window_share is " + windowShare + "; allowed: 0 to 1");
        }
    }

    /** Bytes per token by pool. */
    public Map<Pool, Double> bytesByPool() {
        Architecture a = layout.architecture();
        Map<Pool, Double> bytes = new EnumMap<>(Pool.class);
        bytes.put(Pool.WINDOW, shared(Pool.WINDOW));
        bytes.put(Pool.CSA_ENTRIES, perEntry(a.csaLayers(), a.csaRatio(), layout.keyValues()));
        bytes.put(Pool.HCA_ENTRIES, perEntry(a.hcaLayers(), a.hcaRatio(), layout.keyValues()));
        bytes.put(Pool.INDEX_KEYS, perEntry(a.csaLayers(), a.csaRatio(), layout.indexKeys()));
        bytes.put(Pool.CSA_STATE, shared(Pool.CSA_STATE));
        return Collections.unmodifiableMap(bytes);
    }

    /** Bytes per token. */
    public double bytes() {
        return bytesByPool().values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Tokens that fit in a budget. */
    public long tokensIn(long budgetBytes) {
        return (long) Math.floor(budgetBytes / bytes());
    }

    /** The same rows with another share. */
    public TokenCost withWindowShare(double share) {
        return new TokenCost(layout, share);
    }

    private double shared(Pool pool) {
        return windowShare
                * layout.sequenceBytes().get(pool)
                / layout.architecture().slidingWindow();
    }

    private static double perEntry(int layers, int ratio, RowFormat row) {
        return ratio == 0 ? 0 : (double) layers * row.bytes() / ratio;
    }
}
