package dev.plumbline.recall.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.recall.verdict.NeedsConfirmation;
import dev.plumbline.recall.verdict.Regression;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whole runs judged: what is asked again, and what must not be compared. */
class JudgeTest {
    private static final Map<String, String> FP32 = Map.of("index_key_dtype", "fp32", "prefix_cache", "on");
    private static final Map<String, String> FP8 = Map.of("index_key_dtype", "fp8", "prefix_cache", "on");
    private static final Map<String, String> UNCACHED = Map.of("index_key_dtype", "fp32", "prefix_cache", "off");
    private static final Judge JUDGE = new Judge(VerdictRule.STANDARD);

    private final RecordedRuns baseline = RecordedRuns.run("a", "fp32-index@1", FP32);
    private final RecordedRuns again = RecordedRuns.run("a2", "fp32-index@1", UNCACHED);
    private final RecordedRuns candidate = RecordedRuns.run("b", "fp8-index@1", FP8);
    private final RecordedRuns losing = candidate.with(RecordedRuns.losing("4K tokens", 4));
    private final List<Suite> asked = new ArrayList<>();

    @Test
    void aCandidateThatLosesNothingIsSafeAndNothingIsAskedAgain() {
        // when
        Judgement judgement = JUDGE.judge(baseline.record(), candidate.record(), again.record(), this::loseAgain);

        // then
        assertThat(judgement.title()).isEqualTo("SAFE");
        assertThat(asked).isEmpty();
        assertThat(judgement.notes()).isEmpty();
        assertThat(judgement.outcome().strata())
                .extracting(StratumFinding::name)
                .containsExactly("1K tokens", "4K tokens");
        assertThat(judgement.shown()).extracting(StratumFinding::name).containsExactly("8K tokens");
    }

    @Test
    void aLossIsARegressionOnceFreshSeedsRepeatIt() {
        // when
        Judgement judgement = JUDGE.judge(baseline.record(), losing.record(), again.record(), this::loseAgain);

        // then only the stratum in question was asked, with twice as many other seeds
        assertThat(judgement.title()).isEqualTo("REGRESSION");
        assertThat(((Regression) judgement.outcome()).lostStrata()).containsExactly("4K tokens");
        assertThat(asked).singleElement().satisfies(part -> assertThat(part.requiredStrata())
                .containsExactly("4K tokens"));
        assertThat(judgement.fresh().baseline().seeds()).containsExactly(2L, 3L);
    }

    @Test
    void aLossThatFreshSeedsDoNotRepeatIsNone() {
        // given
        FreshCells fine = (part, seeds) -> new FreshRuns(
                baseline.of(part).seeded(seeds).record(),
                candidate.of(part).seeded(seeds).record());

        // when
        Judgement judgement = JUDGE.judge(baseline.record(), losing.record(), again.record(), fine);

        // then
        assertThat(judgement.title()).isEqualTo("NOT ENOUGH EVIDENCE");
        assertThat(judgement.sentence()).contains("fresh seeds did not repeat it");
    }

    @Test
    void aLossInAStratumThatIsNotRequiredDecidesNothing() {
        // given
        RunRecord lossy = candidate.with(RecordedRuns.losing("8K tokens", 2)).record();

        // when
        Judgement judgement = JUDGE.judge(baseline.record(), lossy, again.record(), this::loseAgain);

        // then
        assertThat(judgement.title()).isEqualTo("SAFE");
        assertThat(judgement.shown())
                .singleElement()
                .satisfies(finding -> assertThat(finding.counts().lost()).isEqualTo(64));
    }

    @Test
    void withoutASecondRunOfTheBaselineNothingIsARegression() {
        // when
        Judgement judgement = JUDGE.first(baseline.record(), losing.record(), null);

        // then
        assertThat(judgement.title()).isEqualTo("NOT ENOUGH EVIDENCE");
        assertThat(judgement.notes()).singleElement().asString().contains("was not asked twice");
        assertThat(judgement.sentence()).contains("how often the baseline disagrees with itself is not known");
        assertThat(judgement.freshPart()).isEmpty();
    }

    @Test
    void aSecondRunThatMayComeFromACacheMeasuresNoNoise() {
        // when
        Judgement judgement = JUDGE.first(
                baseline.record(), losing.record(), again.flagged(FP32).record());

        // then
        assertThat(judgement.outcome()).isNotInstanceOf(NeedsConfirmation.class);
        assertThat(judgement.outcome().strata())
                .allSatisfy(finding -> assertThat(finding.noise().measured()).isFalse());
        assertThat(judgement.notes()).singleElement().asString().contains("prefix cache");
    }

    @Test
    void aSecondRunInALaneOfItsOwnSharesNoCache() {
        // given
        TargetRecord lane = new TargetRecord("native", "native", "tiny", "5e1f", Map.of("fingerprint", "a lane"));
        TargetRecord own = new TargetRecord("native", "native", "tiny", "5e1f", Map.of("fingerprint", "another"));

        // when
        Judgement judgement = JUDGE.first(
                baseline.on(lane).record(),
                losing.record(),
                again.flagged(FP32).on(own).record());

        // then
        assertThat(judgement.outcome()).isInstanceOf(NeedsConfirmation.class);
        assertThat(judgement.notes()).isEmpty();
    }

    @Test
    void aNoisyBaselineHidesALossOfItsSize() {
        // given a baseline that disagrees with itself wherever the candidate loses
        RunRecord noisy = again.with(RecordedRuns.losing("4K tokens", 4)).record();

        // when
        Judgement judgement = JUDGE.judge(baseline.record(), losing.record(), noisy, this::loseAgain);

        // then
        assertThat(judgement.title()).isEqualTo("NOT ENOUGH EVIDENCE");
        assertThat(judgement.sentence()).contains("not more than noise loses");
    }

    @Test
    void theSecondRunMustBeAnotherOneOfTheSameConfiguration() {
        RunRecord run = baseline.record();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JUDGE.first(run, losing.record(), run))
                .withMessageContaining("cannot be its own second run");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        JUDGE.first(run, losing.record(), again.flagged(FP8).record()))
                .withMessageContaining("has other flags than the baseline a")
                .withMessageContaining("fp8");
    }

    @Test
    void whatIsNotFinishedIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        JUDGE.first(baseline.record(), candidate.unfinished().record(), null))
                .withMessage("run b is not finished");
    }

    @Test
    void whatDiffersIsNamed() {
        // given
        RunRecord other = candidate
                .scored("exact/1")
                .on(new TargetRecord("native", "native", "tiny", "77aa", Map.of()))
                .record();

        // then
        assertThatThrownBy(() -> JUDGE.first(baseline.record(), other, null))
                .isInstanceOf(NotComparableException.class)
                .hasMessageContaining("model: 5e1f in the baseline, 77aa in the candidate")
                .hasMessageContaining("scorer: containing/1 in the baseline, exact/1 in the candidate");
    }

    @Test
    void aTargetThatHidesItsCheckpointIsComparedWithANote() {
        // given
        RunRecord elsewhere = candidate
                .on(new TargetRecord("openai", "lab", "big-model", "", Map.of()))
                .record();

        // when
        Judgement judgement = JUDGE.first(baseline.record(), elsewhere, again.record());

        // then
        assertThat(judgement.title()).isEqualTo("SAFE");
        assertThat(judgement.notes())
                .singleElement()
                .asString()
                .contains("The target lab does not tell its checkpoint", "tiny and big-model");
    }

    @Test
    void cellsThatOneSideDidNotAnswerAreLeftOutOfThePairs() {
        // given
        RunRecord broken = candidate
                .with(cell -> cell.haystack() == 0 ? CellState.ERROR : CellState.PASSED)
                .record();

        // when
        Judgement judgement = JUDGE.first(baseline.record(), broken, again.record());

        // then
        assertThat(judgement.outcome().strata()).allSatisfy(finding -> {
            assertThat(finding.leftOut().errors()).isEqualTo(8);
            assertThat(finding.counts().pairs()).isEqualTo(120);
        });
    }

    @Test
    void seedsAreFreshUpToTheLargestNumber() {
        assertThat(baseline.seeded(List.of(5L, Long.MAX_VALUE)).record().seeds())
                .hasSize(2);
        assertThat(FreshSeeds.besides(List.of(5L, Long.MAX_VALUE)))
                .hasSize(4)
                .doesNotHaveDuplicates()
                .doesNotContain(5L, Long.MAX_VALUE);
    }

    private FreshRuns loseAgain(Suite part, List<Long> seeds) {
        asked.add(part);
        return new FreshRuns(
                baseline.of(part).seeded(seeds).record(),
                losing.of(part).seeded(seeds).record());
    }
}
