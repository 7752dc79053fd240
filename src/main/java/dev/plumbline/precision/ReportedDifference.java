package dev.plumbline.precision;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Why two numbers are told of one change, index keys of V4-Flash in bf16 instead of fp8 under fp8 keys/values: the
 * engines' formula gives +8.4 % bytes per token, operators reported +15 % and 13 % fewer slots. Each row states what is
 * counted and what follows. The report is the operators' measurement; everything else here is arithmetic.
 */
public final class ReportedDifference {
    /** Bytes per token that operators measured, in percent. */
    public static final double BYTES_PERCENT = 15;

    /** Slots that they measured, in percent. */
    public static final double TOKENS_PERCENT = -13;

    /** Window shares worth comparing. */
    public static final List<Double> WINDOW_SHARES = List.of(0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0);

    /** Lengths of requests worth comparing, in tokens. */
    public static final List<Long> REQUEST_TOKENS = List.of(8L << 10, 32L << 10, 128L << 10, 1L << 20);

    private static final CostDifference CHANGE =
            new CostDifference(flash(StorageType.FP8, StorageType.FP8), flash(StorageType.FP8, StorageType.BF16));

    private ReportedDifference() {}

    /**
     * What follows from an assumption.
     *
     * @param assumption what is counted, for people
     * @param bytesPercent difference in bytes per token
     * @param tokensPercent difference in tokens that fit
     */
    public record Row(String assumption, double bytesPercent, double tokensPercent) {

        private static Row of(String assumption, double base, double candidate) {
            return new Row(assumption, 100 * (candidate / base - 1), 100 * (base / candidate - 1));
        }
    }

    /** The change at the published window share. */
    public static CostDifference change() {
        return CHANGE;
    }

    /** The window share at which the formula gives what was reported. */
    public static double windowShare() {
        return CHANGE.windowShareFor(BYTES_PERCENT).orElseThrow();
    }

    /** Every assumption with what follows from it. */
    public static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        rows.add(counted("the published formula, window share 0.1", CHANGE, 1));
        rows.add(counted("the same with the CSA state in bf16", CHANGE, 0.5));
        rows.add(counted("the same without the CSA state", CHANGE, 0));
        rows.add(counted("the formula at window share " + shortened(windowShare()), CHANGE.at(windowShare()), 1));
        rows.add(counted("no window and no state: the most that fp8 keys/values allow", CHANGE.at(0), 1));
        CostDifference plain =
                new CostDifference(flash(StorageType.BF16, StorageType.FP8), flash(StorageType.BF16, StorageType.BF16));
        rows.add(counted("no window and no state under bf16 keys/values", plain.at(0), 1));
        CostDifference fromMxfp4 =
                new CostDifference(flash(StorageType.FP8, StorageType.MXFP4), flash(StorageType.FP8, StorageType.BF16));
        rows.add(counted("from mxfp4 instead of fp8 index keys, window share 0.1", fromMxfp4, 1));
        for (long tokens : REQUEST_TOKENS) {
            rows.add(Row.of(
                    "requests of " + (tokens >> 10) + "K tokens, each with its own window, states and last pages",
                    total(CHANGE.base().layout().requestBytes(tokens)),
                    total(CHANGE.candidate().layout().requestBytes(tokens))));
        }
        return List.copyOf(rows);
    }

    /** What the rows mean, for people. */
    public static List<String> conclusion() {
        return List.of(
                "Measured by operators: +15 % bytes per token, -13 % slots. These are one fact: 1 / 1.15 - 1 = -13.0 %.",
                "Derived: the formula's percentage depends on how many tokens the window and the state are charged to."
                        + " Index keys cost the same " + Math.round(added()) + " bytes more per token everywhere; the"
                        + " less else a token is charged for, the larger is their part.",
                "Derived: +15 % comes out at window share " + shortened(windowShare())
                        + ", or when requests of about 32K tokens are each charged their own window and states.",
                "Not known: which window share and which pools the measurement counted.");
    }

    private static double added() {
        return CHANGE.candidate().bytes() - CHANGE.base().bytes();
    }

    private static TokenCost flash(StorageType keyValues, StorageType indexKeys) {
        Architecture model = Architecture.V4_FLASH;
        CacheLayout layout = new CacheLayout(
                model,
                RowFormat.keyValue(keyValues, model.headDim(), model.ropeDims()),
                RowFormat.indexKey(indexKeys, model.indexHeadDim()));
        return new TokenCost(layout, TokenCost.PUBLISHED_WINDOW_SHARE);
    }

    /** A row of the formula with a part of the CSA state counted. */
    private static Row counted(String assumption, CostDifference change, double state) {
        return Row.of(assumption, counted(change.base(), state), counted(change.candidate(), state));
    }

    private static double counted(TokenCost cost, double state) {
        return cost.bytes() - (1 - state) * cost.bytesByPool().get(Pool.CSA_STATE);
    }

    private static long total(Map<Pool, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String shortened(double share) {
        return String.format(Locale.ROOT, "%.4f", share);
    }
}
