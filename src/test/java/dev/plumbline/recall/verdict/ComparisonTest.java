package dev.plumbline.recall.verdict;

import static dev.plumbline.recall.verdict.CellState.ERROR;
import static dev.plumbline.recall.verdict.CellState.FAILED;
import static dev.plumbline.recall.verdict.CellState.MISSING;
import static dev.plumbline.recall.verdict.CellState.PASSED;
import static dev.plumbline.recall.verdict.CellState.TRUNCATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.recall.verdict.Difference.Kind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    @Test
    void cellsArePairedByIdWhateverTheirOrder() {
        Pairing pairing = (Pairing) Comparison.of(
                run(cell("a", PASSED), cell("b", PASSED), cell("c", FAILED), cell("d", FAILED)),
                run(cell("d", FAILED), cell("c", PASSED), cell("b", FAILED), cell("a", PASSED)));

        assertThat(pairing.strata()).singleElement().satisfies(stratum -> {
            assertThat(stratum.name()).isEqualTo("4K tokens");
            assertThat(stratum.counts()).isEqualTo(new PairedCounts(1, 1, 1, 1));
            assertThat(stratum.leftOut().pairs()).isZero();
        });
        assertThat(pairing.noise()).containsEntry("4K tokens", new NoiseFloor(2, 4));
    }

    @Test
    void whatIsNoCompleteAnswerIsNeitherPassedNorFailed() {
        Pairing pairing = (Pairing) Comparison.of(
                run(cell("a", PASSED), cell("b", TRUNCATED), cell("c", FAILED), cell("d", MISSING), cell("e", PASSED)),
                run(cell("a", ERROR), cell("b", FAILED), cell("c", MISSING), cell("d", FAILED), cell("e", PASSED)));

        StratumPairs stratum = pairing.strata().get(0);
        assertThat(stratum.counts()).isEqualTo(new PairedCounts(1, 0, 0, 0));
        assertThat(stratum.leftOut()).isEqualTo(new LeftOut(4, 2, 1, 1, 2));
    }

    @Test
    void netLossesAreSummedByHaystack() {
        Pairing pairing = (Pairing) Comparison.of(
                run(cell("a", "h1", PASSED), cell("b", "h1", PASSED), cell("c", "h2", FAILED), cell("d", "h3", FAILED)),
                run(
                        cell("a", "h1", FAILED),
                        cell("b", "h1", FAILED),
                        cell("c", "h2", PASSED),
                        cell("d", "h3", FAILED)));

        assertThat(pairing.strata().get(0).netLossByHaystack()).containsExactly(2, -1, 0);
    }

    @Test
    void anotherModelSuiteOrScorerIsNamed() {
        RunOutcomes baseline = run(cell("a", PASSED));
        RunOutcomes candidate = new RunOutcomes("sha256:ffff", "smoke/2", "exact/1", List.of(cell("a", PASSED)));

        NotComparable refusal = (NotComparable) Comparison.of(baseline, candidate);

        assertThat(refusal.differences())
                .extracting(Difference::what)
                .containsExactly(Kind.MODEL, Kind.SUITE, Kind.SCORER);
        assertThat(refusal.sentence())
                .startsWith("the runs differ in model: sha256:5e1f in the baseline, sha256:ffff in the candidate; ")
                .contains("the runs differ in suite: smoke/1 in the baseline, smoke/2 in the candidate")
                .endsWith("the runs differ in scorer: containing/1 in the baseline, exact/1 in the candidate");
    }

    @Test
    void cellsOfOneRunOnlyAreNamed() {
        NotComparable refusal = (NotComparable)
                Comparison.of(run(cell("a", PASSED), cell("b", PASSED), cell("c", PASSED)), run(cell("a", PASSED)));

        assertThat(refusal.differences())
                .containsExactly(new Difference(Kind.CELLS, "b and 1 more", "none of its own"));
    }

    @Test
    void oneCellWithAnotherPromptIsAnotherTest() {
        CellOutcome changed = new CellOutcome("a", "other hash", "4K tokens", "h1", PASSED);

        NotComparable refusal = (NotComparable) Comparison.of(run(cell("a", PASSED)), run(changed));

        assertThat(refusal.sentence())
                .isEqualTo(
                        "the runs differ in prompt: hash of a (cell a) in the baseline, other hash in the candidate");
    }

    @Test
    void aCellThatCouldNotBeAskedNeedsNoPrompt() {
        CellOutcome broken = new CellOutcome("a", "", "4K tokens", "h1", ERROR);

        assertThat(Comparison.of(run(cell("a", PASSED)), run(broken))).isInstanceOf(Pairing.class);
        assertThatThrownBy(() -> new CellOutcome("a", "", "4K tokens", "h1", FAILED))
                .hasMessage("cell a is FAILED but has no prompt hash");
    }

    @Test
    void oneCellInAnotherStratumOrHaystackIsRefused() {
        assertThat(Comparison.of(run(cell("a", "h1", PASSED)), run(cell("a", "h2", PASSED))))
                .isInstanceOfSatisfying(NotComparable.class, refusal -> assertThat(refusal.sentence())
                        .startsWith("the runs differ in stratum and haystack: 4K tokens / h1 (cell a)"));
    }

    @Test
    void aCellThatComesTwiceIsAnError() {
        assertThatThrownBy(() -> run(cell("a", PASSED), cell("a", FAILED))).hasMessage("cell a comes twice in one run");
    }

    @Test
    void aVerdictMayDependOnSomeStrataOnly() {
        Pairing pairing = Runs.pairing(Runs.stratum("1K", 1, 0, 0, 0), Runs.stratum("4K", 1, 0, 0, 0));

        assertThat(pairing.only(Set.of("4K")).strata())
                .extracting(StratumPairs::name)
                .containsExactly("4K");
        assertThatThrownBy(() -> pairing.only(Set.of("8K"))).hasMessage("stratum 8K has no pairs");
    }

    private static RunOutcomes run(CellOutcome... cells) {
        return new RunOutcomes(Runs.MODEL, Runs.SUITE, Runs.SCORER, List.of(cells));
    }

    private static CellOutcome cell(String id, CellState state) {
        return cell(id, "h1", state);
    }

    private static CellOutcome cell(String id, String haystack, CellState state) {
        return new CellOutcome(id, "hash of " + id, "4K tokens", haystack, state);
    }
}
