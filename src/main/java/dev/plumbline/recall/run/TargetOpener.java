package dev.plumbline.recall.run;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.recall.NativeCells;
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

    TargetOpener(TargetSlot slot, Serving serving) {
        this.slot = slot;
        this.serving = serving;
    }

    /** Whether this server can ask cells of a run at all. */
    boolean can(StoredRun run) {
        return engine(run).isPresent();
    }

    private Optional<NativeTarget> engine(StoredRun run) {
        return slot.target()
                .filter(NativeTarget::running)
                .filter(engine -> engine.model().hash().equals(run.target().modelHash()));
    }

    /**
     * Opens the target of a run: the lane of its run config, for as long as its cells are asked. A run that measures noise
     * has a lane of its own, since what one lane has computed of a prompt another one computes again.
     *
     * @param stopped looked at while a lane is built
     * @return empty if it was stopped, or cannot be opened here any more. Throws what
     *     {@link dev.plumbline.engine.Engine#activate} fails with
     */
    Optional<OpenTarget> open(StoredRun run, BooleanSupplier stopped) throws InterruptedException {
        NativeTarget engine = engine(run).orElse(null);
        if (engine == null) {
            return Optional.empty();
        }
        LaneKey config = serving.choose(run.runConfig(), engine.status().config())
                .block()
                .lane();
        LaneKey lane =
                run.purpose() == Purpose.NOISE ? new LaneKey(config.label() + " for noise", config.profile()) : config;
        CompletableFuture<NativeCells> opening = NativeCells.open(engine, lane);
        while (!stopped.getAsBoolean()) {
            try {
                return Optional.of(new OpenTarget(opening.get(LOOK_MILLIS, TimeUnit.MILLISECONDS), engine));
            } catch (TimeoutException e) {
                continue;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException reason
                        ? reason
                        : new IllegalStateException(e.getCause());
            }
        }
        opening.thenAccept(NativeCells::close);
        return Optional.empty();
    }
}
