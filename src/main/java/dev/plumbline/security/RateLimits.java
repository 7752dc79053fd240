package dev.plumbline.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * Limits the requests a minute of every key to {@code /v1} and {@code /api}, and of every logged-in user to {@code /v1}.
 * A bucket refills evenly; one that nobody used for a while is full, hence forgotten.
 */
@Component
final class RateLimits {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MOST = 100_000;

    /** Patterns, as routes have them: a path that is percent-encoded leads to the same place. */
    private static final PathPattern MODEL = PathPatternParser.defaultInstance.parse("/v1/**");

    private static final PathPattern API = PathPatternParser.defaultInstance.parse("/api/**");

    private final Access access;
    private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
            .expireAfterAccess(MINUTE.multipliedBy(2))
            .maximumSize(MOST)
            .build();

    RateLimits(Access access) {
        this.access = access;
    }

    Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return exchange.getPrincipal()
                .ofType(Caller.class)
                .doOnNext(caller -> take(exchange, caller))
                .then(chain.filter(exchange));
    }

    private void take(ServerWebExchange exchange, Caller caller) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        boolean counts = MODEL.matches(path) || API.matches(path) && !caller.inSession();
        Integer limit = caller.rateLimit() != null ? caller.rateLimit() : access.rateLimit();
        if (!counts || limit == null) {
            return;
        }
        ConsumptionProbe probe = buckets.get(caller.inSession() ? caller.owner() : caller.key(), key -> full(limit))
                .tryConsumeAndReturnRemaining(1);
        HttpHeaders headers = exchange.getResponse().getHeaders();
        headers.set("x-ratelimit-limit-requests", String.valueOf(limit));
        headers.set("x-ratelimit-remaining-requests", String.valueOf(probe.getRemainingTokens()));
        headers.set("x-ratelimit-reset-requests", seconds(probe.getNanosToWaitForReset()) + "s");
        if (!probe.isConsumed()) {
            throw new RateLimitedException(limit, seconds(probe.getNanosToWaitForRefill()));
        }
    }

    private static Bucket full(int limit) {
        return Bucket.builder()
                .addLimit(bandwidth -> bandwidth.capacity(limit).refillGreedy(limit, MINUTE))
                .build();
    }

    /** Rounded up: who comes again after that long passes. */
    private static int seconds(long nanos) {
        return (int) Duration.ofNanos(nanos).plusMillis(999).toSeconds();
    }
}
