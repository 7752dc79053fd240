package dev.plumbline.security;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * What the database said a moment ago, so that it is not asked with every request. What it does not know is not kept:
 * strangers could fill the cache with that.
 */
final class BriefCache<K, V> {
    /** How long a change may take to be seen. */
    static final Duration AGE = Duration.ofSeconds(3);

    private static final int MOST = 10_000;

    private final AsyncCache<K, V> cache =
            Caffeine.newBuilder().expireAfterWrite(AGE).maximumSize(MOST).buildAsync();

    /** What is known of it is out of date. */
    void forget(K key) {
        cache.synchronous().invalidate(key);
    }

    /** The value, loaded once however many ask at a time; empty if there is none. */
    Mono<V> get(K key, Function<K, Mono<V>> load) {
        return Mono.fromFuture(
                () -> cache.get(key, (missing, executor) -> load.apply(missing).toFuture()), true);
    }
}
