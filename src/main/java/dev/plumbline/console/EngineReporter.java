package dev.plumbline.console;

import dev.plumbline.console.EngineReport.Loaded;
import dev.plumbline.console.EngineReport.State;
import dev.plumbline.ops.Drain;
import dev.plumbline.runconfig.Serving;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetSlot;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Looks at the engine; page and API say what it saw. */
@Component
final class EngineReporter {
    private final TargetSlot slot;
    private final Serving serving;
    private final Drain drain;
    private final Build build = Build.current();
    private final Instant started =
            Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());

    EngineReporter(TargetSlot slot, Serving serving, Drain drain) {
        this.slot = slot;
        this.serving = serving;
        this.drain = drain;
    }

    EngineReport report() {
        Optional<NativeTarget> target = slot.target();
        return new EngineReport(
                state(target),
                build,
                started,
                Instant.now(),
                target.map(this::loaded),
                target.flatMap(loaded -> serving.served()),
                target.flatMap(loaded -> serving.trouble()));
    }

    private State state(Optional<NativeTarget> target) {
        if (drain.draining()) {
            return State.STOPPING;
        }
        return target.map(loaded -> loaded.running() ? State.RUNNING : State.FAILED)
                .orElse(State.LOADING);
    }

    private Loaded loaded(NativeTarget target) {
        String fingerprint = serving.served()
                .map(served -> target.fingerprint(served.lane()))
                .orElseGet(target::fingerprint);
        return new Loaded(target.model(), fingerprint, target.status(), target.maxWaiting());
    }
}
