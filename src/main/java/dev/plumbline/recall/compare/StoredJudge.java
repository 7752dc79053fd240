package dev.plumbline.recall.compare;

import dev.plumbline.recall.judge.FreshRuns;
import dev.plumbline.recall.judge.Judge;
import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.run.RunRefusedException;
import dev.plumbline.recall.run.RunState;
import dev.plumbline.recall.run.StoredRun;
import dev.plumbline.recall.run.WholeRuns;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Judges runs of the database. */
@Component
final class StoredJudge {
    private final WholeRuns runs;

    StoredJudge(WholeRuns runs) {
        this.runs = runs;
    }

    /**
     * Judges runs when their turn has come, and makes something of that at once: what is kept of it is small.
     *
     * @return fails as {@link #now} does, and with {@link dev.plumbline.recall.run.TooManyReadersException}
     */
    <T> Mono<T> judge(VerdictRule rule, RunIds ids, Function<Judgement, T> use) {
        return runs.reading(() -> use.apply(now(rule, ids)));
    }

    /**
     * Judges runs on this thread; without runs of fresh cells the outcome may be the demand for them. Only baseline and
     * candidate have texts and traces.
     *
     * @throws RunRefusedException if a run does not exist
     * @throws ComparisonRefusedException if one is not finished or is none of its side
     * @throws dev.plumbline.recall.judge.NotComparableException naming what differs
     */
    Judgement now(VerdictRule rule, RunIds ids) {
        Map<String, UUID> named = new LinkedHashMap<>();
        named.put("baseline", ids.baseline());
        named.put("candidate", ids.candidate());
        named.put("baseline_again", ids.again());
        named.put("fresh_baseline", ids.freshBaseline());
        named.put("fresh_candidate", ids.freshCandidate());
        // Before any is read.
        named.forEach(this::requireFinished);
        try {
            Judge judge = new Judge(rule);
            RunRecord again =
                    ids.again() == null ? null : read("baseline_again", ids.again(), runs.outcomes(ids.again()));
            Judgement first = judge.first(
                    read("baseline", ids.baseline(), runs.record(ids.baseline())),
                    read("candidate", ids.candidate(), runs.record(ids.candidate())),
                    again);
            return ids.freshBaseline() == null
                            || ids.freshCandidate() == null
                            || first.freshPart().isEmpty()
                    ? first
                    : judge.resolve(
                            first,
                            new FreshRuns(
                                    read("fresh_baseline", ids.freshBaseline(), runs.outcomes(ids.freshBaseline())),
                                    read(
                                            "fresh_candidate",
                                            ids.freshCandidate(),
                                            runs.outcomes(ids.freshCandidate()))));
        } catch (IllegalArgumentException e) {
            throw new ComparisonRefusedException("not_comparable", e.getMessage() + ".");
        }
    }

    private static RunRecord read(String field, UUID id, Optional<RunRecord> found) {
        return found.orElseThrow(() -> missing(field, id));
    }

    private static RunRefusedException missing(String field, UUID id) {
        return RunRefusedException.missing(
                field, "not_found", "No run '" + id + "' exists, which '" + field + "' names.");
    }

    private void requireFinished(String field, UUID id) {
        if (id == null) {
            return;
        }
        StoredRun run = runs.find(id).orElseThrow(() -> missing(field, id));
        if (run.state() != RunState.FINISHED) {
            throw new ComparisonRefusedException(
                    "run_not_finished",
                    "The run " + id + ", which '" + field + "' names, is "
                            + run.state().text() + "; allowed: finished runs.");
        }
    }
}
