package dev.plumbline.recall.run;

import dev.plumbline.database.DatabaseUnavailableException;
import java.time.Duration;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Makes runs, and tells when they have ended. */
@Component
public final class Runs {
    /** Most cells of a run. */
    public static final int MOST_CELLS = 200_000;

    /** A notice may get lost with its connection. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** Every result of every run is told. */
    private static final Duration REST = Duration.ofMillis(250);

    private final RunPlanner planner;
    private final RunStore store;
    private final RunNotices notices;

    Runs(RunPlanner planner, RunStore store, RunNotices notices) {
        this.planner = planner;
        this.store = store;
        this.notices = notices;
    }

    /**
     * Makes a run; servers of the database begin to ask its cells at once.
     *
     * @return the waiting run. Fails with {@link RunRefusedException}, {@link dev.plumbline.document.DocumentException} of
     *     the suite, {@link dev.plumbline.runconfig.UnknownRunConfigException},
     *     {@link dev.plumbline.precision.ProfileException} if the config makes no sense for the model,
     *     {@link dev.plumbline.recall.remote.UnknownTargetException},
     *     {@link dev.plumbline.recall.remote.TargetException} if prompts of another run cannot be made here, and
     *     {@link dev.plumbline.runconfig.NotServedException} while no model is loaded
     */
    public Mono<StoredRun> start(NewRun wanted) {
        return plan(wanted).flatMap(store::create);
    }

    /** What {@link #start} would store; fails as it does. {@link RunStore#create(JdbcClient, PlannedRun)} stores it. */
    public Mono<PlannedRun> plan(NewRun wanted) {
        return planner.plan(wanted);
    }

    /** The same for a run like one that is not stored yet: with its edges, measure and texts, and hence its prompts. */
    public Mono<PlannedRun> plan(NewRun wanted, PlannedRun first) {
        return planner.plan(wanted, first);
    }

    /**
     * Waits for the end of a run, whichever servers ask its cells.
     *
     * @return the run once it has ended; empty if it does not exist, or not any more. While the database does not answer it
     *     goes on waiting
     */
    public Mono<StoredRun> whenFinished(UUID id) {
        return look(id).expand(seen ->
                        seen.over() ? Mono.empty() : changed(seen.heard()).then(look(id)))
                .filter(Seen::over)
                .next()
                .mapNotNull(Seen::run);
    }

    /**
     * A look at a run.
     *
     * @param heard notices that had come before
     * @param known false while the database does not answer
     * @param run the run, or null
     */
    private record Seen(long heard, boolean known, StoredRun run) {
        boolean over() {
            return known && (run == null || run.state().ended());
        }
    }

    private Mono<Seen> look(UUID id) {
        return Mono.defer(() -> {
            long heard = notices.heard();
            return store.find(id)
                    .map(run -> new Seen(heard, true, run))
                    .defaultIfEmpty(new Seen(heard, true, null))
                    .onErrorReturn(DatabaseUnavailableException.class, new Seen(heard, false, null));
        });
    }

    private Mono<Void> changed(long heard) {
        return Mono.delay(REST)
                .then(Mono.firstWithSignal(
                        notices.since(heard), Mono.delay(LOOK_AGAIN).then()));
    }
}
