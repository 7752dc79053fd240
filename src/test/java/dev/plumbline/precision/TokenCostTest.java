package dev.plumbline.precision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes per token of V4-Flash under fp8 keys/values against the published formula. */
class TokenCostTest {
    private static final Architecture FLASH = Architecture.V4_FLASH;

    @ParameterizedTest
    @CsvSource({"FP32, 2688", "BF16, 1344", "FP8, 693", "MXFP4, 357"})
    void indexKeysCostThePublishedBytesPerToken(StorageType type, double bytes) {
        assertThat(cost(type, 0.1).bytesByPool()).containsEntry(Pool.INDEX_KEYS, bytes);
    }

    @ParameterizedTest
    @CsvSource({"FP32, 9701, 25.9", "BF16, 8357, 8.4", "FP8, 7706, 0.0", "MXFP4, 7370, -4.4"})
    void aTokenCostsThePublishedBytes(StorageType type, long bytes, double percentOfFp8) {
        // given
        TokenCost cost = cost(type, TokenCost.PUBLISHED_WINDOW_SHARE);

        // when
        CostDifference difference = new CostDifference(cost(StorageType.FP8, 0.1), cost);

        // then
        assertThat((long) Math.ceil(cost.bytes())).isEqualTo(bytes);
        assertThat(difference.bytesPercent()).isCloseTo(percentOfFp8, within(0.05));
    }

    @Test
    void theWindowIsTheShareThatItIsSaidToBe() {
        assertThat(cost(StorageType.FP8, 0.1).bytesByPool().get(Pool.WINDOW)).isCloseTo(2511.2, within(1e-9));
        assertThat(cost(StorageType.FP8, 0).bytesByPool()).containsEntry(Pool.WINDOW, 0.0);
    }

    @Test
    void aBudgetHoldsWholeTokens() {
        // given
        TokenCost cost = cost(StorageType.BF16, 0.1);

        // when
        long tokens = cost.tokensIn(80L << 30);

        // then one more would not fit
        assertThat(tokens * cost.bytes()).isLessThanOrEqualTo(80L << 30);
        assertThat((tokens + 1) * cost.bytes()).isGreaterThan(80L << 30);
    }

    @Test
    void fifteenPercentMoreBytesAreThirteenPercentFewerTokens() {
        // given the share at which the formula gives what was reported
        CostDifference change = ReportedDifference.change().at(ReportedDifference.windowShare());

        // then
        assertThat(ReportedDifference.windowShare()).isCloseTo(0.0127, within(0.00005));
        assertThat(change.bytesPercent()).isCloseTo(ReportedDifference.BYTES_PERCENT, within(1e-9));
        assertThat(change.tokensPercent()).isCloseTo(ReportedDifference.TOKENS_PERCENT, within(0.05));
    }

    @Test
    void theReportIsReachedByRequestsOf32KTokensToo() {
        assertThat(ReportedDifference.rows())
                .filteredOn(row -> row.assumption().startsWith("requests of 32K"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.bytesPercent()).isCloseTo(15.1, within(0.05));
                    assertThat(row.tokensPercent()).isCloseTo(-13.1, within(0.05));
                });
    }

    @Test
    void everyAssumptionGivesItsOwnPercentage() {
        // then the numbers of a pocket calculator, in the order of the rows
        assertThat(ReportedDifference.rows().stream()
                        .map(row -> String.format(Locale.ROOT, "%.1f", row.bytesPercent()))
                        .limit(7))
                .isEqualTo(List.of("8.4", "9.3", "10.2", "15.0", "16.9", "10.5", "13.4"));
    }

    @Test
    void noShareMakesADifferenceThatTheRowsDoNotHave() {
        // given that without any window the difference is 16.9 %
        assertThat(ReportedDifference.change().windowShareFor(17)).isEmpty();
        assertThat(ReportedDifference.change().windowShareFor(1)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
    void aShareIsPartOfAWhole(double share) {
        assertThatThrownBy(() -> cost(StorageType.FP8, share))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("window_share is " + share + "; allowed: 0 to 1");
    }

    @Test
    void theFormulaCanBeFollowed() {
        assertThat(CostFormula.lines(cost(StorageType.FP8, 0.1)))
                .containsExactly(
                        "bytes per token = window + CSA entries + HCA entries + index keys + CSA state; window and"
                                + " state count for the window share r = 0.1 of the tokens",
                        "window: r x 43 layers x 584 B = 2511.2 B",
                        "CSA entries: 21 layers x 584 B / 4 tokens = 3066 B",
                        "HCA entries: 20 layers x 584 B / 128 tokens = 91.25 B",
                        "index keys: 21 layers x 132 B / 4 tokens = 693 B",
                        "CSA state: r x 21 layers x 8 tokens x 4 x (512 + 128) x 4 B / 128 tokens of a window = 1344 B",
                        "sum = 7705.45 B per token",
                        "besides, once a request: HCA state: 20 layers x 128 tokens x 2 x 512 x 4 B = 10485760 B");
    }

    @Test
    void aModelOfSlidingLayersAloneCostsItsWindow() {
        // given
        Architecture sliding = new Architecture("sliding", 2, 0, 0, 64, 8, 16, 0, 0, 0, 1);
        TokenCost cost = new TokenCost(
                new CacheLayout(
                        sliding, RowFormat.keyValue(StorageType.BF16, 64, 8), RowFormat.indexKey(StorageType.BF16, 0)),
                1);

        // then
        assertThat(cost.bytes()).isEqualTo(2 * 128);
        assertThat(CostFormula.lines(cost)).hasSize(3);
        assertThat(new CostDifference(cost.withWindowShare(0), cost.withWindowShare(0)).bytesPercent())
                .isZero();
    }

    private static TokenCost cost(StorageType indexKeys, double windowShare) {
        return new TokenCost(
                new CacheLayout(
                        FLASH,
                        RowFormat.keyValue(StorageType.FP8, FLASH.headDim(), FLASH.ropeDims()),
                        RowFormat.indexKey(indexKeys, FLASH.indexHeadDim())),
                windowShare);
    }
}
