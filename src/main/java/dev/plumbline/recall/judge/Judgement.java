package dev.plumbline.recall.judge;

import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.verdict.NeedsConfirmation;
import dev.plumbline.recall.verdict.Outcome;
import dev.plumbline.recall.verdict.Pairing;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * What two runs say, and the runs.
 *
 * @param baseline the run held against
 * @param candidate the run in question
 * @param again the baseline asked a second time; null if it was not, so that noise is not known
 * @param fresh the runs of fresh cells; null if none were asked
 * @param pairs all pairs of baseline and candidate, of strata that are not required too
 * @param outcome the verdict, or the demand to repeat a loss
 * @param shown findings of the strata that no verdict depends on
 * @param notes what a reader must know besides, a sentence each
 */
public record Judgement(
        RunRecord baseline,
        RunRecord candidate,
        RunRecord again,
        FreshRuns fresh,
        Pairing pairs,
        Outcome outcome,
        List<StratumFinding> shown,
        List<String> notes) {

    /** Copies the lists. */
    public Judgement {
        shown = List.copyOf(shown);
        notes = List.copyOf(notes);
    }

    /** SAFE, REGRESSION or NOT ENOUGH EVIDENCE; a loss that was not repeated on fresh cells is no regression yet. */
    public String title() {
        return outcome instanceof Verdict verdict ? verdict.title() : "NOT ENOUGH EVIDENCE";
    }

    /** Why, in one sentence. */
    public String sentence() {
        return outcome.sentence();
    }

    /** The part of the suite to ask afresh; empty if the verdict stands. */
    public Optional<Suite> freshPart() {
        return outcome instanceof NeedsConfirmation open
                ? Optional.of(baseline.suite().only(open.cellsToAsk().keySet()))
                : Optional.empty();
    }

    /** Most cells that a loss in runs of so many seeds can ask afresh on each side: those of all required strata. */
    public static long mostFreshCells(Suite suite, int seeds) {
        return suite.strata().stream()
                        .filter(SuiteStratum::required)
                        .mapToLong(SuiteStratum::cells)
                        .sum()
                * seeds
                * FreshSeeds.FACTOR;
    }

    /** Seeds for the fresh cells, twice as many as the run has: each gives as many cells as one of the run's. */
    public List<Long> freshSeeds() {
        return FreshSeeds.besides(baseline.seeds());
    }
}
