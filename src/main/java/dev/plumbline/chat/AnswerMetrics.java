package dev.plumbline.chat;

import dev.plumbline.target.ChatEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/** Measures answers as their tokens come; docs/runbook.md lists the names. Never runs on the step loop. */
@Component
final class AnswerMetrics {
    private static final Duration[] FIRST =
            millis(10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 120_000);
    private static final Duration[] BETWEEN = millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 5000);

    private final Timer firstToken;
    private final Timer betweenTokens;
    private final RunConfigTokens tokens;
    private final Counter complete;
    private final Counter failed;
    private final Counter dropped;

    AnswerMetrics(MeterRegistry registry) {
        firstToken = timer("plumbline.time.to.first.token", FIRST, registry);
        betweenTokens = timer("plumbline.inter.token.latency", BETWEEN, registry);
        tokens = new RunConfigTokens(registry);
        complete = registry.counter("plumbline.answers", "end", "complete");
        failed = registry.counter("plumbline.answers", "end", "failed");
        dropped = registry.counter("plumbline.answers", "end", "dropped");
    }

    /**
     * Measures from the subscription on; {@code answer} gets a watch to call with the choice of every token.
     *
     * @param runConfig what answers
     */
    Flux<ChatEvent> measured(String runConfig, Function<IntConsumer, Flux<ChatEvent>> answer) {
        return Flux.defer(() -> {
            Watch watch = new Watch(tokens.of(runConfig));
            return answer.apply(watch)
                    .doOnNext(watch::event)
                    .doOnComplete(() -> watch.ended(complete))
                    .doOnError(failure -> watch.ended(failed))
                    .doOnCancel(() -> watch.ended(dropped));
        });
    }

    private static Timer timer(String name, Duration[] buckets, MeterRegistry registry) {
        return Timer.builder(name).serviceLevelObjectives(buckets).register(registry);
    }

    private static Duration[] millis(long... millis) {
        return LongStream.of(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }

    /** One request; its tokens come from one thread at a time. */
    private final class Watch implements IntConsumer {
        private final RunConfigTokens.Counters counters;
        private final long begun = System.nanoTime();
        private final AtomicBoolean ended = new AtomicBoolean();
        private final Map<Integer, Long> lastToken = new HashMap<>();

        Watch(RunConfigTokens.Counters counters) {
            this.counters = counters;
        }

        void event(ChatEvent event) {
            if (event instanceof ChatEvent.Started started && started.choice() == 0) {
                counters.prompt().increment(started.promptTokens());
            }
        }

        /** Readers of a complete answer cancel it too; the first end counts. */
        void ended(Counter end) {
            if (ended.compareAndSet(false, true)) {
                end.increment();
            }
        }

        @Override
        public void accept(int choice) {
            long now = System.nanoTime();
            counters.completion().increment();
            boolean first = lastToken.isEmpty();
            Long last = lastToken.put(choice, now);
            if (first) {
                firstToken.record(now - begun, TimeUnit.NANOSECONDS);
            } else if (last != null) {
                betweenTokens.record(now - last, TimeUnit.NANOSECONDS);
            }
        }
    }
}
