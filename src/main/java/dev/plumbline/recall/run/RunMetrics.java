package dev.plumbline.recall.run;

import dev.plumbline.recall.verdict.CellState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** Counts what this server does for runs; docs/runbook.md lists the names. */
@Component
final class RunMetrics {
    private final MeterRegistry registry;
    private final AtomicInteger running = new AtomicInteger();

    RunMetrics(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder("plumbline.runs.running", running, AtomicInteger::get).register(registry);
        for (CellState state : CellState.values()) {
            if (state != CellState.MISSING) {
                registry.counter("plumbline.run.cells", "state", word(state));
            }
        }
    }

    /** A result of this server was committed. */
    void asked(CellState state) {
        registry.counter("plumbline.run.cells", "state", word(state)).increment();
    }

    void begun() {
        running.incrementAndGet();
    }

    void ended() {
        running.decrementAndGet();
    }

    private static String word(CellState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
