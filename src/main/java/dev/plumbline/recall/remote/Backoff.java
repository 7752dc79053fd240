package dev.plumbline.recall.remote;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * How often, and after which waits, a request is repeated that failed for a time.
 *
 * @param attempts most attempts, the first one included
 * @param first wait before the second attempt at least; twice as long before each further one
 * @param longest longest wait; a server that wants to be left alone for longer has failed
 */
record Backoff(int attempts, Duration first, Duration longest) {
    private static final int MOST_DOUBLINGS = 20;

    static final Backoff DEFAULT = new Backoff(5, Duration.ofMillis(500), Duration.ofSeconds(60));

    /** Repeats a request as long as its failures are temporary. */
    <T> Mono<T> around(Mono<T> request) {
        Retry policy =
                Retry.from(signals -> signals.concatMap(signal -> next(signal.failure(), signal.totalRetries())));
        return request.retryWhen(policy);
    }

    private Mono<Long> next(Throwable failure, long retries) {
        if (!(failure instanceof ServerFailure failed) || !failed.temporary()) {
            return Mono.error(failure);
        }
        if (retries + 1 >= attempts) {
            return Mono.error(
                    ServerFailure.lasting(failed.getMessage() + " (attempt " + attempts + " of " + attempts + ")"));
        }
        Duration wait = wait(failed.retryAfter(), retries);
        if (wait.compareTo(longest) > 0) {
            return Mono.error(ServerFailure.lasting(failed.getMessage() + " (and wants to be asked again in "
                    + wait.toSeconds() + " s; at most " + longest.toSeconds() + " s are waited)"));
        }
        return Mono.delay(wait);
    }

    /** Up to as long again, at random: many cells that fail together do not come back together. */
    private Duration wait(Duration asked, long retries) {
        long doubled = first.toMillis() << Math.min(retries, MOST_DOUBLINGS);
        long own = Math.min(doubled, longest.toMillis() / 2);
        long jittered = own + ThreadLocalRandom.current().nextLong(own + 1);
        return asked == null ? Duration.ofMillis(jittered) : asked.plusMillis(jittered - own);
    }
}
