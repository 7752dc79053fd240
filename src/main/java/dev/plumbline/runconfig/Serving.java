package dev.plumbline.runconfig;

import dev.plumbline.model.ModelConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** What this server serves now, and what a request gets. */
@Component
public final class Serving {
    /** How long a request waits for a server that is just finding out what is active. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RunConfigs configs;
    private final CompletableFuture<Boolean> known = new CompletableFuture<>();
    private volatile State state = new State(null, null);

    Serving(RunConfigs configs) {
        this.configs = configs;
    }

    /** What was served last, and why it is not what should be served; each may be null. */
    private record State(Served served, String trouble) {}

    /** What is served, or was before the trouble; empty until that is known. */
    public Optional<Served> served() {
        return Optional.ofNullable(state.served());
    }

    /** Why requests that name no run config are refused, in words for the operator; empty if they are not. */
    public Optional<String> trouble() {
        return Optional.ofNullable(state.trouble());
    }

    void serve(Served served) {
        state = new State(served, null);
        known.complete(true);
    }

    void refuse(String trouble) {
        state = new State(state.served(), trouble);
        known.complete(true);
    }

    /**
     * What a request gets. Fails with {@link UnknownRunConfigException}, with {@link NotServedException}, and with
     * {@link dev.plumbline.precision.ProfileException} if the config makes no sense for the model.
     *
     * @param ref the config that it names, or null
     * @param model the served model
     */
    public Mono<ConfigChoice> choose(RunConfigRef ref, ModelConfig model) {
        if (ref != null) {
            return configs.used(ref).map(config -> new ConfigChoice(config.sampling(), Served.asked(config, model)));
        }
        if (known.isDone()) {
            return Mono.fromCallable(this::current);
        }
        return Mono.fromFuture(known, true)
                .timeout(PATIENCE)
                .onErrorMap(
                        TimeoutException.class,
                        e -> new NotServedException("It is not known yet which run config is active"))
                .map(done -> current());
    }

    private ConfigChoice current() {
        State now = state;
        if (now.trouble() != null) {
            throw new NotServedException(now.trouble());
        }
        return new ConfigChoice(now.served().sampling(), now.served().lane());
    }
}
