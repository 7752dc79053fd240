package dev.plumbline.recall.run;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.recall.CellTarget;
import dev.plumbline.recall.NativeCells;
import dev.plumbline.recall.remote.PromptMeasure;
import dev.plumbline.recall.remote.Targets;
import dev.plumbline.runconfig.Serving;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetSlot;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/** Opens what answers the cells of a run, on this server. */
@Component
final class TargetOpener {
    private static final long LOOK_MILLIS = 250;

    private final TargetSlot slot;
    private final Serving serving;
    private final Targets targets;

    TargetOpener(TargetSlot slot, Serving serving, Targets targets) {
        this.slot = slot;
        this.serving = serving;
        this.targets = targets;
    }

    /** Hash of the model that this server hosts; empty while it loads. */
    Optional<String> model() {
        return slot.target().filter(NativeTarget::running).map(engine -> engine.model()
                .hash());
    }

    private Optional<NativeTarget> engine(String modelHash) {
        return slot.target()
                .filter(NativeTarget::running)
                .filter(engine -> engine.model().hash().equals(modelHash));
    }

    /**
     * Opens the target of a run: a server elsewhere, or the lane of its run config, for as long as its cells are asked.
     *
     * @param stopped looked at while that takes its time
     * @return empty if it was stopped, or cannot be opened here any more. Throws what
     *     {@link dev.plumbline.engine.Engine#activate} and {@link Targets#open} fail with
     */
    Optional<OpenTarget> open(StoredRun run, BooleanSupplier stopped) throws InterruptedException {
        if (!run.isNative()) {
            String measure = run.measure().isEmpty() ? null : run.measure();
            return wait(targets.open(run.targetId().toString(), measure).toFuture(), stopped)
                    .map(cells -> new OpenTarget(cells, null));
        }
        NativeTarget engine = engine(run.target().modelHash()).orElse(null);
        if (engine == null) {
            return Optional.empty();
        }
        return wait(NativeCells.open(engine, lane(run, engine)), stopped)
                .map(cells -> new OpenTarget(measured(run, cells, engine), engine));
    }

    /** A run that measures noise has a lane of its own: what one lane has computed of a prompt another one computes again. */
    private LaneKey lane(StoredRun run, NativeTarget engine) {
        LaneKey config = serving.choose(run.runConfig(), engine.status().config())
                .block()
                .lane();
        return run.purpose() == Purpose.NOISE ? new LaneKey(config.label() + " for noise", config.profile()) : config;
    }

    private static CellTarget measured(StoredRun run, NativeCells cells, NativeTarget engine) {
        if (run.measure().isEmpty() || run.measure().equals(cells.measure())) {
            return cells;
        }
        try {
            return new Reencoded(
                    cells, PromptMeasure.named(run.measure(), engine).codec(), run.measure());
        } catch (RuntimeException e) {
            cells.close();
            throw e;
        }
    }

    private static <T extends CellTarget> Optional<T> wait(CompletableFuture<T> opening, BooleanSupplier stopped)
            throws InterruptedException {
        while (!stopped.getAsBoolean()) {
            try {
                return Optional.of(opening.get(LOOK_MILLIS, TimeUnit.MILLISECONDS));
            } catch (TimeoutException e) {
                continue;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException reason
                        ? reason
                        : new IllegalStateException(e.getCause());
            }
        }
        opening.thenAccept(CellTarget::close);
        return Optional.empty();
    }
}
