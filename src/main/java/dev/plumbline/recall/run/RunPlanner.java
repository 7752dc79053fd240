package dev.plumbline.recall.run;

import dev.plumbline.conversation.TimeOrderedId;
import dev.plumbline.engine.EngineStatus;
import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.NativeCells;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.remote.PromptMeasure;
import dev.plumbline.recall.remote.RemoteTarget;
import dev.plumbline.recall.remote.Targets;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.runconfig.NotServedException;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.runconfig.RunConfigs;
import dev.plumbline.runconfig.Serving;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetSlot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Makes a run of a wish: what it will ask, of whom, and measured how; or refuses. */
@Component
final class RunPlanner {
    private static final int SHOWN_LENGTHS = 10;

    /** Most tokens of a prompt are a remote server's own business. */
    private static final int UNKNOWN_CONTEXT = Integer.MAX_VALUE;

    private final TargetSlot slot;
    private final RunConfigs configs;
    private final Serving serving;
    private final Targets targets;
    private final RunStore store;

    RunPlanner(TargetSlot slot, RunConfigs configs, Serving serving, Targets targets, RunStore store) {
        this.slot = slot;
        this.configs = configs;
        this.serving = serving;
        this.targets = targets;
        this.store = store;
    }

    /** Who will be asked: {@code measure} is empty where it is found out once the run begins. */
    private record Asked(
            RunConfigRef config, UUID targetId, TargetRecord target, Edges edges, String measure, int context) {}

    /** Fails with what {@link Runs#start} does. */
    Mono<PlannedRun> plan(NewRun wanted) {
        return modelled(wanted).flatMap(other -> asked(wanted)
                .publishOn(Schedulers.boundedElastic())
                .flatMap(asked -> other.isEmpty()
                        ? Mono.just(planned(wanted, asked, cells(wanted, asked), wanted.haystack()))
                        : like(wanted, asked, other.get())));
    }

    /** The same like a run that is not stored yet; both can be stored in one transaction, that one first. */
    Mono<PlannedRun> plan(NewRun wanted, PlannedRun first) {
        return asked(wanted).publishOn(Schedulers.boundedElastic()).map(asked -> {
            Asked like = like(asked, first.run());
            boolean same = wanted.suite().equals(first.run().suite())
                    && wanted.seeds().equals(first.run().seeds());
            return planned(wanted, like, same ? first.cells() : cells(wanted, like), first.haystack());
        });
    }

    /** The run whose prompts are to be asked, if there is one. */
    private Mono<Optional<StoredRun>> modelled(NewRun wanted) {
        if (wanted.promptsOf() == null) {
            return Mono.just(Optional.empty());
        }
        if (wanted.haystack() != null) {
            return Mono.error(RunRefusedException.invalid(
                    "haystack", "'haystack' cannot be set with 'prompts_of': prompts are those of that run."));
        }
        return store.find(wanted.promptsOf())
                .map(Optional::of)
                .switchIfEmpty(Mono.error(() -> RunRefusedException.missing(
                        "prompts_of", "not_found", "No run '" + wanted.promptsOf() + "' exists.")));
    }

    private Mono<Asked> asked(NewRun wanted) {
        if (wanted.target() == null) {
            return engine(wanted.runConfig());
        }
        if (wanted.runConfig() != null) {
            return Mono.error(RunRefusedException.invalid(
                    "run_config",
                    "'run_config' is " + wanted.runConfig() + ", but the flags of a target are its own; allowed with"
                            + " 'target': no run config."));
        }
        return targets.one(wanted.target()).map(RunPlanner::remote);
    }

    private Mono<Asked> engine(RunConfigRef ref) {
        return Mono.defer(() -> {
            NativeTarget engine = slot.target().orElseThrow(() -> new NotServedException("The model is loading"));
            EngineStatus status = engine.status();
            TargetRecord target = new TargetRecord(
                    TargetRecord.NATIVE,
                    TargetRecord.NATIVE,
                    engine.name(),
                    engine.model().hash(),
                    Map.of());
            return configs.one(ref)
                    // A config may make no sense for the model; better now than when its turn has come.
                    .flatMap(config ->
                            serving.choose(config.ref(), status.config()).thenReturn(config.ref()))
                    .map(config -> new Asked(
                            config,
                            null,
                            target,
                            NativeCells.edges(status.config()),
                            NativeCells.measure(engine),
                            status.maxContext()));
        });
    }

    private static Asked remote(RemoteTarget target) {
        return new Asked(
                null,
                target.id(),
                new TargetRecord(target.kind().text(), target.name(), target.model(), target.weights(), Map.of()),
                target.edges(),
                "",
                UNKNOWN_CONTEXT);
    }

    /**
     * With edges, measure and texts of another run, so that equal suites and seeds give equal prompts. If that one has not
     * begun, its measure is not known: this one will wait for it.
     */
    private Mono<PlannedRun> like(NewRun wanted, Asked asked, StoredRun other) {
        Asked like = like(asked, other);
        return store.haystack(other.id())
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .publishOn(Schedulers.boundedElastic())
                .map(haystack -> planned(wanted, like, cells(wanted, like), haystack.orElse(null)));
    }

    private Asked like(Asked asked, StoredRun other) {
        if (!other.measure().isEmpty()) {
            PromptMeasure.named(other.measure(), slot.target().orElse(null));
        }
        return new Asked(
                asked.config(), asked.targetId(), asked.target(), other.edges(), other.measure(), asked.context());
    }

    private static List<SuiteCell> cells(NewRun wanted, Asked asked) {
        requireFew(wanted);
        return wanted.suite().cells(asked.edges(), wanted.seeds());
    }

    private static PlannedRun planned(NewRun wanted, Asked asked, List<SuiteCell> cells, String haystack) {
        requireRoom(cells, asked.context());
        StoredRun run = new StoredRun(
                TimeOrderedId.at(Instant.now()),
                wanted.owner(),
                wanted.purpose(),
                wanted.suite(),
                asked.edges(),
                wanted.seeds(),
                asked.config(),
                asked.targetId(),
                wanted.promptsOf(),
                asked.target(),
                Map.of(),
                asked.measure(),
                Scorer.containing().version(),
                RunState.WAITING,
                null,
                new RunCounts(cells.size(), 0, 0, 0, 0),
                0,
                null,
                null,
                null);
        return new PlannedRun(run, cells, haystack);
    }

    private static void requireFew(NewRun wanted) {
        long cells =
                wanted.suite().strata().stream().mapToLong(SuiteStratum::cells).sum()
                        * wanted.seeds().size();
        if (cells > Runs.MOST_CELLS) {
            throw RunRefusedException.invalid(
                    "seeds",
                    "'seeds' has " + wanted.seeds().size() + ", which makes " + cells + " cells of "
                            + wanted.suite().label() + "; allowed: at most " + Runs.MOST_CELLS + " cells of a run.");
        }
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
}
