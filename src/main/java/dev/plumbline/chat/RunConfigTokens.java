package dev.plumbline.chat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counters of tokens by run config. Whoever may store run configs could make any number of them: the first
 * {@value #MOST} that answer have counters of their own, all others share those of {@value #OTHERS}.
 */
final class RunConfigTokens {
    static final int MOST = 50;
    static final String OTHERS = "other";

    private final MeterRegistry registry;
    private final Map<String, Counters> counters = new ConcurrentHashMap<>();

    /** Tokens of prompts and of completions. */
    record Counters(Counter prompt, Counter completion) {}

    RunConfigTokens(MeterRegistry registry) {
        this.registry = registry;
    }

    /** The counters of a run config, {@code name@version}. */
    Counters of(String runConfig) {
        Counters known = counters.get(runConfig);
        return known != null ? known : make(runConfig);
    }

    private synchronized Counters make(String runConfig) {
        String label = counters.size() < MOST || counters.containsKey(runConfig) ? runConfig : OTHERS;
        return counters.computeIfAbsent(label, this::register);
    }

    private Counters register(String label) {
        return new Counters(counter("prompt", label), counter("completion", label));
    }

    private Counter counter(String kind, String label) {
        return registry.counter("plumbline.tokens", "kind", kind, "run_config", label);
    }
}
