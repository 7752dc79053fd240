package dev.plumbline.recall.compare;

import dev.plumbline.recall.judge.FreshRuns;
import dev.plumbline.recall.judge.Judge;
import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.run.RunRefusedException;
import dev.plumbline.recall.run.RunState;
import dev.plumbline.recall.run.RunStore;
import dev.plumbline.recall.run.StoredRun;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Judges runs of the database. */
@Component
final class StoredJudge {
    private final RunStore runs;

    StoredJudge(RunStore runs) {
        this.runs = runs;
    }

    /**
     * Judges runs; without runs of fresh cells the outcome may be the demand for them.
     *
     * @return fails with {@link RunRefusedException} if a run does not exist, {@link ComparisonRefusedException} if one is not
     *     finished or is none of its side, and {@link dev.plumbline.recall.judge.NotComparableException}
     */
    Mono<Judgement> judge(VerdictRule rule, RunIds ids) {
        return Mono.zip(
                        finished("baseline", ids.baseline()).map(Optional::of),
                        finished("candidate", ids.candidate()).map(Optional::of),
                        optional("baseline_again", ids.again()),
                        optional("fresh_baseline", ids.freshBaseline()),
                        optional("fresh_candidate", ids.freshCandidate()))
                .publishOn(Schedulers.boundedElastic())
                .map(found -> judge(
                        rule,
                        found.getT1().orElseThrow(),
                        found.getT2().orElseThrow(),
                        found.getT3().orElse(null),
                        found.getT4().orElse(null),
                        found.getT5().orElse(null)))
                .onErrorMap(
                        IllegalArgumentException.class,
                        e -> new ComparisonRefusedException("not_comparable", e.getMessage() + "."));
    }

    private static Judgement judge(
            VerdictRule rule,
            RunRecord baseline,
            RunRecord candidate,
            RunRecord again,
            RunRecord freshBaseline,
            RunRecord freshCandidate) {
        Judge judge = new Judge(rule);
        Judgement first = judge.first(baseline, candidate, again);
        return freshBaseline == null
                        || freshCandidate == null
                        || first.freshPart().isEmpty()
                ? first
                : judge.resolve(first, new FreshRuns(freshBaseline, freshCandidate));
    }

    private Mono<Optional<RunRecord>> optional(String field, UUID id) {
        return id == null ? Mono.just(Optional.empty()) : finished(field, id).map(Optional::of);
    }

    private Mono<RunRecord> finished(String field, UUID id) {
        return runs.find(id)
                .switchIfEmpty(Mono.error(() -> missing(field, id)))
                .doOnNext(run -> requireFinished(field, run))
                .flatMap(run -> runs.record(id))
                .switchIfEmpty(Mono.error(() -> missing(field, id)));
    }

    private static RunRefusedException missing(String field, UUID id) {
        return RunRefusedException.missing(
                field, "not_found", "No run '" + id + "' exists, which '" + field + "' names.");
    }

    private static void requireFinished(String field, StoredRun run) {
        if (run.state() != RunState.FINISHED) {
            throw new ComparisonRefusedException(
                    "run_not_finished",
                    "The run " + run.id() + ", which '" + field + "' names, is "
                            + run.state().text() + "; allowed: finished runs.");
        }
    }
}
