package dev.plumbline.recall.verdict;

import static dev.plumbline.recall.verdict.Runs.noise;
import static dev.plumbline.recall.verdict.Runs.pairing;
import static dev.plumbline.recall.verdict.Runs.silence;
import static dev.plumbline.recall.verdict.Runs.stratum;
import static dev.plumbline.recall.verdict.Runs.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictRuleTest {
    private static final VerdictRule RULE = VerdictRule.STANDARD;
    private static final String LONG = "4K tokens";

    private final StratumPairs quiet = stratum("1K tokens", 127, 0, 1, 0);

    @Test
    void equalAnswersInEveryStratumAreSafe() {
        Outcome outcome = judge(quiet, stratum(LONG, 127, 1, 0, 0));

        assertThat(outcome).isInstanceOf(Safe.class);
        assertThat(((Safe) outcome).title()).isEqualTo("SAFE");
        assertThat(outcome.sentence())
                .isEqualTo("In every stratum less than 5 points are lost; at 4K tokens it is 4.3 at most"
                        + " (b=1, c=0, n=128).");
        assertThat(outcome.strata()).extracting(StratumFinding::name).containsExactly("1K tokens", LONG);
    }

    @Test
    void oneStratumThatIsNotSafeIsEnoughForNoSafety() {
        Outcome outcome = judge(quiet, stratum(LONG, 124, 4, 0, 0));

        assertThat(outcome).isInstanceOf(NotEnoughEvidence.class);
        assertThat(outcome.sentence())
                .startsWith("At 4K tokens up to 7.8 points may be lost, which is not below 5 (b=4, c=0, n=128);"
                        + " at these rates some ")
                .endsWith(" cells more would show that it is safe.");
    }

    @Test
    void tooFewPairsShowNothingHoweverEqual() {
        assertThat(judge(stratum(LONG, 73, 0, 0, 0))).isInstanceOf(Safe.class);

        Outcome outcome = judge(stratum(LONG, 72, 0, 0, 0));

        assertThat(outcome).isInstanceOf(NotEnoughEvidence.class);
        assertThat(outcome.sentence())
                .isEqualTo(
                        "At 4K tokens only 72 of 72 cells have an answer on both sides, and fewer than 73 show nothing"
                                + " (b=0, c=0, n=72); at these rates some 1 cells more would show that it is safe.");
    }

    @Test
    void aStratumNobodyAnsweredIsNotSafe() {
        StratumPairs empty = with(stratum(LONG, 0, 0, 0, 0), 128, CellState.PASSED, CellState.MISSING);

        Outcome outcome = judge(quiet, empty);

        assertThat(outcome).isInstanceOf(NotEnoughEvidence.class);
        assertThat(outcome.sentence())
                .startsWith("At 4K tokens only 0 of 128 cells have an answer on both sides"
                        + " (0 truncated, 0 errors, 128 missing)")
                .endsWith("some 73 cells more would show that it is safe.");
    }

    @Test
    void aBaselineThatFailsAnywayHasNothingToLose() {
        Outcome outcome = judge(stratum("64K tokens", 2, 0, 0, 126));

        assertThat(outcome).isInstanceOf(NotEnoughEvidence.class);
        assertThat(outcome.sentence())
                .isEqualTo("At 64K tokens the baseline itself passed only 2 of 128 cells, so that a loss of 5 points"
                        + " could not show (b=0, c=0, n=128).");
    }

    @Test
    void aLossThatShowsMustBeConfirmedBeforeItIsARegression() {
        Outcome outcome = judge(quiet, stratum(LONG, 91, 37, 0, 0));

        assertThat(outcome).isInstanceOf(NeedsConfirmation.class).isNotInstanceOf(Verdict.class);
        assertThat(outcome.sentence())
                .isEqualTo(
                        "At 4K tokens 37 of 128 answers were lost (b=37, c=0), p=1e-11 by pairs and p=2e-05 by haystacks;"
                                + " not yet repeated on fresh seeds.");
        assertThat(((NeedsConfirmation) outcome).cellsToAsk()).isEqualTo(Map.of(LONG, 256));
    }

    @Test
    void aLossThatFreshSeedsRepeatIsARegression() {
        NeedsConfirmation open = (NeedsConfirmation) judge(quiet, stratum(LONG, 91, 37, 0, 0));

        Verdict verdict = open.resolve(pairing(stratum(LONG, 16, "2", 180, 70, 1, 5)));

        assertThat(verdict).isInstanceOf(Regression.class);
        assertThat(verdict.title()).isEqualTo("REGRESSION");
        assertThat(((Regression) verdict).lostStrata()).containsExactly(LONG);
        assertThat(verdict.sentence())
                .startsWith("At 4K tokens 37 of 128 answers were lost (b=37, c=0), p=1e-11 by pairs")
                .contains("; on fresh seeds 70 of 256 answers were lost (b=70, c=1), p=");
    }

    @Test
    void aLossThatFreshSeedsDoNotRepeatIsNone() {
        NeedsConfirmation open = (NeedsConfirmation) judge(quiet, stratum(LONG, 122, 6, 0, 0));

        Verdict verdict = open.resolve(pairing(stratum(LONG, 16, "2", 250, 4, 2, 0)));

        assertThat(verdict).isInstanceOf(NotEnoughEvidence.class);
        assertThat(verdict.sentence())
                .isEqualTo("At 4K tokens 6 of 128 answers were lost (b=6, c=0), p=0.0313 by pairs and p=0.0156 by"
                        + " haystacks, but fresh seeds did not repeat it: 4 of 256 answers were lost (b=4, c=2),"
                        + " p=0.3438 by pairs and p=0.3438 by haystacks.");
    }

    @Test
    void pairsThatWereSeenBeforeConfirmNothing() {
        StratumPairs bad = stratum(LONG, 91, 37, 0, 0);
        NeedsConfirmation open = (NeedsConfirmation) judge(quiet, bad);

        assertThatThrownBy(() -> open.resolve(pairing(bad)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("was asked before; fresh pairs need fresh seeds");
        assertThatThrownBy(() -> open.resolve(pairing(stratum("1K tokens", 16, "2", 128, 0, 0, 0))))
                .hasMessage("stratum 4K tokens needs fresh pairs and has none");
    }

    @Test
    void noRegressionCanBeMadeWithoutFreshPairs() {
        List<StratumFinding> bad = judge(quiet, stratum(LONG, 91, 37, 0, 0)).strata();
        List<StratumFinding> good = judge(quiet, stratum(LONG, 128, 0, 0, 0)).strata();

        assertThatThrownBy(() -> new Regression(RULE, bad, List.of()))
                .hasMessage("a regression needs a loss that fresh cells repeat");
        assertThatThrownBy(() -> new Regression(RULE, bad, good)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Regression(RULE, good, bad)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Safe(RULE, bad)).hasMessage("a candidate is safe only if every stratum is");
    }

    @Test
    void lossesOfOneHaystackAreNoRegression() {
        StratumPairs bad = stratum(LONG, 1, "1", 116, 12, 0, 0);

        Outcome outcome = judge(quiet, bad);

        assertThat(outcome).isInstanceOf(NotEnoughEvidence.class);
        assertThat(outcome.sentence())
                .isEqualTo("At 4K tokens 12 of 128 answers were lost (b=12, c=0), p=0.0005 by pairs and p=0.5000 by"
                        + " haystacks, but too few haystacks agree.");
    }

    @Test
    void aLossWithinTheNoiseOfTheBaselineIsNoRegression() {
        Pairing pairs = pairing(stratum(LONG, 116, 12, 0, 0));

        assertThat(RULE.judge(pairs, noise(pairs, 9))).isInstanceOf(NeedsConfirmation.class);
        Outcome outcome = RULE.judge(pairs, noise(pairs, 10));

        assertThat(outcome).isInstanceOf(NotEnoughEvidence.class);
        assertThat(outcome.sentence())
                .contains("but not more than noise loses (10 of 100 cells differ without any change)");
        assertThat(RULE.judge(pairs, Map.of(LONG, new NoiseFloor(0, 0)))).isInstanceOf(NotEnoughEvidence.class);
        assertThatThrownBy(() -> RULE.judge(pairs, Map.of())).hasMessage("stratum 4K tokens has no noise floor");
    }

    @Test
    void fourLostAnswersAreNoRegressionInHoweverFewPairs() {
        assertThat(judge(stratum(LONG, 6, 4, 0, 0))).isInstanceOf(NotEnoughEvidence.class);
        assertThat(judge(stratum(LONG, 5, 5, 0, 0))).isInstanceOf(NeedsConfirmation.class);
    }

    @Test
    void moreStrataAskForClearerLosses() {
        StratumPairs five = stratum(LONG, 123, 5, 0, 0);

        assertThat(judge(five)).isInstanceOf(NeedsConfirmation.class);
        assertThat(judge(quiet, five)).isInstanceOf(NotEnoughEvidence.class);
    }

    @Test
    void aGainIsNeverARegression() {
        assertThat(judge(quiet, stratum(LONG, 91, 0, 37, 0))).isInstanceOf(Safe.class);
    }

    @Test
    void leftOutPairsCountAsLostWhereTheyMayBe() {
        StratumPairs good = stratum(LONG, 126, 0, 0, 0);

        assertThat(judge(with(good, 1, CellState.PASSED, CellState.TRUNCATED))).isInstanceOf(Safe.class);
        assertThat(judge(with(good, 9, CellState.TRUNCATED, CellState.TRUNCATED)))
                .isInstanceOf(Safe.class);
        Outcome outcome = judge(with(good, 3, CellState.PASSED, CellState.TRUNCATED));

        assertThat(outcome).isInstanceOf(NotEnoughEvidence.class);
        assertThat(outcome.sentence())
                .isEqualTo(
                        "At 4K tokens 3 of 129 cells are left out (3 truncated, 0 errors, 0 missing), and if they were"
                                + " lost, up to 6.6 points would be (b=0, c=0, n=126).");
    }

    @Test
    void aWiderMarginAsksForFewerPairs() {
        Pairing pairs = pairing(stratum(LONG, 40, 0, 0, 0));

        assertThat(VerdictRule.withMargin(0.10).judge(pairs, silence(pairs))).isInstanceOf(Safe.class);
        assertThat(judge(pairs.strata().get(0))).isInstanceOf(NotEnoughEvidence.class);
    }

    @Test
    void whatIsNeededIsEnoughIfTheRatesStay() {
        StratumFinding finding = judge(stratum(LONG, 121, 3, 0, 4)).strata().get(0);

        int more = finding.needed(RULE).forSafe().orElseThrow();

        int all = 128 + more;
        int lost = (int) Math.round(3.0 * all / 128);
        int failed = (int) Math.round(4.0 * all / 128);
        assertThat(more).isPositive();
        assertThat(judge(stratum(LONG, all - lost - failed, lost, 0, failed))).isInstanceOf(Safe.class);
    }

    @Test
    void aLossBeyondTheMarginIsNeverMadeSafeByMoreCells() {
        CellsNeeded needed =
                judge(quiet, stratum(LONG, 84, 8, 2, 6)).strata().get(1).needed(RULE);

        assertThat(needed.forSafe()).isEmpty();
        assertThat(needed.forRegression()).isPresent();
    }

    @Test
    void marginsAndLevelsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> VerdictRule.withMargin(5)).hasMessage("margin is 5.0; allowed: 0.001 to 0.5");
        assertThatThrownBy(() -> new VerdictRule(0.05, 0)).hasMessage("level is 0.0; allowed: above 0, up to 0.2");
        assertThatThrownBy(() -> RULE.judge(pairing(), Map.of())).hasMessage("there is no stratum to judge");
    }

    private static Outcome judge(StratumPairs... strata) {
        Pairing pairs = pairing(strata);
        return RULE.judge(pairs, silence(pairs));
    }
}
