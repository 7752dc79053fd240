package dev.plumbline.ops;

import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetSlot;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToLongFunction;
import org.springframework.stereotype.Component;

/** How busy the engine is, read from its last snapshot whenever somebody asks; docs/runbook.md lists the names. */
@Component
final class TargetMetrics implements MeterBinder {
    private final TargetSlot slot;

    TargetMetrics(TargetSlot slot) {
        this.slot = slot;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        slot.whenFilled(target -> bind(target, registry));
    }

    private static void bind(NativeTarget target, MeterRegistry registry) {
        generations("running", target, loaded -> loaded.status().running(), registry);
        generations("waiting", target, loaded -> loaded.status().waiting(), registry);
    }

    private static void generations(
            String state, NativeTarget target, ToLongFunction<NativeTarget> count, MeterRegistry registry) {
        Gauge.builder("plumbline.generations", target, count::applyAsLong)
                .tag("state", state)
                .register(registry);
    }
}
