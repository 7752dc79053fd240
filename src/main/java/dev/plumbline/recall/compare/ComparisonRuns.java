package dev.plumbline.recall.compare;

import dev.plumbline.recall.run.NewRun;
import dev.plumbline.recall.run.PlannedRun;
import dev.plumbline.recall.run.Purpose;
import dev.plumbline.recall.run.RunStore;
import dev.plumbline.recall.run.Runs;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Makes the runs of comparisons. */
@Component
final class ComparisonRuns {
    private final Runs runs;

    ComparisonRuns(Runs runs) {
        this.runs = runs;
    }

    /**
     * Runs that may be made, of which none is stored yet.
     *
     * @param again the baseline once more; null where that is not wanted
     */
    record Planned(NewComparison wanted, PlannedRun baseline, PlannedRun candidate, PlannedRun again) {

        /** The side with the version of its config. */
        Side baselineSide() {
            return new Side(baseline.run().runConfig(), wanted.baseline().target());
        }

        /** The same of the candidate. */
        Side candidateSide() {
            return new Side(candidate.run().runConfig(), wanted.candidate().target());
        }

        /** Stores the runs in the caller's transaction; servers find them once what they belong to is stored too. */
        RunIds store(JdbcClient client) {
            // The others may ask the baseline's prompts.
            UUID first = RunStore.create(client, baseline).id();
            UUID second = RunStore.create(client, candidate).id();
            UUID third = again == null ? null : RunStore.create(client, again).id();
            return new RunIds(first, second, third, null, null);
        }
    }

    /** Both sides, and the baseline once more. Fails as {@link Runs#plan} does. */
    Mono<Planned> first(NewComparison wanted) {
        return pair(wanted, wanted.purpose()).flatMap(pair -> like(
                        pair.baseline(),
                        wanted,
                        wanted.baseline(),
                        Purpose.NOISE,
                        // The engine measures its prompts the same every time; others may change in between.
                        wanted.baseline().target() != null)
                .map(again -> new Planned(wanted, pair.baseline(), pair.candidate(), again)));
    }

    /** Both sides with fresh seeds. */
    Mono<Planned> fresh(NewComparison wanted) {
        return pair(wanted, Purpose.CONFIRMATION);
    }

    private Mono<Planned> pair(NewComparison wanted, Purpose purpose) {
        boolean sameEngine =
                wanted.baseline().target() == null && wanted.candidate().target() == null;
        return runs.plan(run(wanted, wanted.baseline(), purpose, null))
                .flatMap(baseline -> like(baseline, wanted, wanted.candidate(), purpose, !sameEngine)
                        .map(candidate -> new Planned(wanted, baseline, candidate, null)));
    }

    private Mono<PlannedRun> like(
            PlannedRun baseline, NewComparison wanted, Side side, Purpose purpose, boolean itsPrompts) {
        return runs.plan(run(wanted, side, purpose, itsPrompts ? baseline.run().id() : null), baseline);
    }

    private static NewRun run(NewComparison wanted, Side side, Purpose purpose, UUID promptsOf) {
        return new NewRun(
                wanted.suite(),
                wanted.seeds(),
                side.runConfig(),
                side.target(),
                promptsOf,
                null,
                wanted.owner(),
                purpose);
    }
}
