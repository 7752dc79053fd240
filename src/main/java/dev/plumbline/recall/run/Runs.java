package dev.plumbline.recall.run;

import dev.plumbline.conversation.TimeOrderedId;
import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.engine.EngineStatus;
import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.NativeCells;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.runconfig.NotServedException;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.runconfig.RunConfigs;
import dev.plumbline.runconfig.Serving;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetSlot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Makes runs, and tells when they have ended. */
@Component
public final class Runs {
    /** Most cells of a run. */
    public static final int MOST_CELLS = 200_000;

    /** A notice may get lost with its connection. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private static final int SHOWN_LENGTHS = 10;

    private final TargetSlot slot;
    private final RunConfigs configs;
    private final Serving serving;
    private final RunStore store;
    private final RunNotices notices;

    Runs(TargetSlot slot, RunConfigs configs, Serving serving, RunStore store, RunNotices notices) {
        this.slot = slot;
        this.configs = configs;
        this.serving = serving;
        this.store = store;
        this.notices = notices;
    }

    /** A run that may be made: all but its id is known. */
    private record Planned(StoredRun run, List<SuiteCell> cells) {}

    /**
     * Makes a run; servers of the database begin to ask its cells at once.
     *
     * @return the waiting run. Fails with {@link RunRefusedException}, {@link dev.plumbline.document.DocumentException} of
     *     the suite, {@link dev.plumbline.runconfig.UnknownRunConfigException},
     *     {@link dev.plumbline.precision.ProfileException} if the config makes no sense for the model, and
     *     {@link NotServedException} while no model is loaded
     */
    public Mono<StoredRun> start(NewRun wanted) {
        return Mono.defer(() -> {
            NativeTarget engine = slot.target().orElseThrow(() -> new NotServedException("The model is loading"));
            EngineStatus status = engine.status();
            return configs.one(wanted.runConfig())
                    // Also a config of another model may be named; better now than when its turn has come.
                    .flatMap(config ->
                            serving.choose(config.ref(), status.config()).thenReturn(config.ref()))
                    .publishOn(Schedulers.boundedElastic())
                    .map(config -> plan(wanted, config, engine))
                    .flatMap(planned -> store.create(planned.run(), planned.cells(), wanted.haystack()));
        });
    }

    private static Planned plan(NewRun wanted, RunConfigRef config, NativeTarget engine) {
        Edges edges = NativeCells.edges(engine.status().config());
        List<SuiteCell> cells = cells(wanted, edges);
        requireRoom(cells, engine.status().maxContext());
        TargetRecord target = new TargetRecord(
                TargetRecord.NATIVE,
                TargetRecord.NATIVE,
                engine.name(),
                engine.model().hash(),
                Map.of());
        StoredRun run = new StoredRun(
                TimeOrderedId.at(Instant.now()),
                wanted.owner(),
                wanted.purpose(),
                wanted.suite(),
                edges,
                wanted.seeds(),
                config,
                null,
                wanted.promptsOf(),
                target,
                Map.of(),
                NativeCells.measure(engine),
                Scorer.containing().version(),
                RunState.WAITING,
                null,
                new RunCounts(cells.size(), 0, 0, 0, 0),
                0,
                null,
                null,
                null);
        return new Planned(run, cells);
    }

    private static List<SuiteCell> cells(NewRun wanted, Edges edges) {
        long cells = wanted.suite().strata().stream()
                        .mapToLong(stratum -> stratum.cells())
                        .sum()
                * wanted.seeds().size();
        if (cells > MOST_CELLS) {
            throw RunRefusedException.invalid(
                    "seeds",
                    "'seeds' has " + wanted.seeds().size() + ", which makes " + cells + " cells of "
                            + wanted.suite().label() + "; allowed: at most " + MOST_CELLS + " cells of a run.");
        }
        return wanted.suite().cells(edges, wanted.seeds());
    }

    private static void requireRoom(List<SuiteCell> cells, int context) {
        int most = context - CellRunner.ANSWER_TOKENS;
        List<Integer> tooLong = cells.stream()
                .map(SuiteCell::length)
                .filter(length -> length > most)
                .distinct()
                .sorted()
                .toList();
        if (!tooLong.isEmpty()) {
            String shown =
                    tooLong.stream().limit(SHOWN_LENGTHS).map(String::valueOf).collect(Collectors.joining(", "));
            throw RunRefusedException.invalid(
                    "suite",
                    "The suite asks for prompts of " + shown + (tooLong.size() > SHOWN_LENGTHS ? ", …" : "")
                            + " tokens; allowed: at most " + most + ", since this server's context is " + context
                            + " tokens and an answer takes up to " + CellRunner.ANSWER_TOKENS + ".");
        }
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
        return Mono.firstWithSignal(notices.since(heard), Mono.delay(LOOK_AGAIN).then());
    }
}
