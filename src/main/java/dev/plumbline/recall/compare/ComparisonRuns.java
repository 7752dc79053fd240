package dev.plumbline.recall.compare;

import dev.plumbline.recall.run.NewRun;
import dev.plumbline.recall.run.Purpose;
import dev.plumbline.recall.run.RunStore;
import dev.plumbline.recall.run.Runs;
import dev.plumbline.recall.run.StoredRun;
import dev.plumbline.recall.suite.Suite;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Starts the runs of comparisons: all of a kind or none. */
@Component
final class ComparisonRuns {
    private final Runs runs;
    private final RunStore store;

    ComparisonRuns(Runs runs, RunStore store) {
        this.runs = runs;
        this.store = store;
    }

    /**
     * Runs that have been started, and the sides with the versions of their configs.
     *
     * @param ids the first three, or the fresh two
     */
    record Started(Side baseline, Side candidate, RunIds ids) {}

    /** Both sides, and the baseline once more. */
    Mono<Started> first(NewComparison wanted) {
        return pair(wanted, wanted.purpose()).flatMap(pair -> {
            NewRun again = run(wanted, wanted.baseline(), Purpose.NOISE, prompts(wanted.baseline(), pair.baseline()));
            return orWithout(runs.start(again), pair.baseline(), pair.candidate())
                    .map(noise -> new Started(
                            sided(wanted.baseline(), pair.baseline()),
                            sided(wanted.candidate(), pair.candidate()),
                            new RunIds(pair.baseline().id(), pair.candidate().id(), noise.id(), null, null)));
        });
    }

    /** Both sides with fresh seeds. */
    Mono<Started> fresh(NewComparison wanted) {
        return pair(wanted, Purpose.CONFIRMATION)
                .map(pair -> new Started(
                        sided(wanted.baseline(), pair.baseline()),
                        sided(wanted.candidate(), pair.candidate()),
                        RunIds.of(pair.baseline().id(), pair.candidate().id())));
    }

    /** Deletes what nobody will look at. */
    Mono<Void> drop(UUID... ids) {
        return Mono.when(List.of(ids).stream().map(store::delete).toList());
    }

    private record Pair(StoredRun baseline, StoredRun candidate) {}

    private Mono<Pair> pair(NewComparison wanted, Purpose purpose) {
        return runs.start(run(wanted, wanted.baseline(), purpose, null)).flatMap(baseline -> {
            boolean same =
                    wanted.baseline().target() == null && wanted.candidate().target() == null;
            NewRun candidate = run(wanted, wanted.candidate(), purpose, same ? null : baseline.id());
            return orWithout(runs.start(candidate), baseline).map(started -> new Pair(baseline, started));
        });
    }

    private Mono<StoredRun> orWithout(Mono<StoredRun> start, StoredRun... before) {
        UUID[] ids = List.of(before).stream().map(StoredRun::id).toArray(UUID[]::new);
        return start.onErrorResume(failure -> drop(ids).then(Mono.error(failure)));
    }

    /** The engine measures its prompts the same every time; what measures another server may change in between. */
    private static UUID prompts(Side side, StoredRun baseline) {
        return side.target() == null ? null : baseline.id();
    }

    private static NewRun run(NewComparison wanted, Side side, Purpose purpose, UUID promptsOf) {
        Suite suite = wanted.suite();
        return new NewRun(
                suite, wanted.seeds(), side.runConfig(), side.target(), promptsOf, null, wanted.owner(), purpose);
    }

    private static Side sided(Side wanted, StoredRun run) {
        return new Side(run.runConfig(), wanted.target());
    }
}
