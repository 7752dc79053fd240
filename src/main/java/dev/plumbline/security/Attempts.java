package dev.plumbline.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Counts logins per name and per address. From the fifth failure in a row on the next one has to wait, each time twice
 * as long. Names that do not exist count like others, or their wait would tell. Where a name has logged in before, only
 * what comes from there counts, or strangers elsewhere could keep it out.
 */
final class Attempts {
    private static final int FREE = 5;
    private static final Duration FIRST_WAIT = Duration.ofSeconds(30);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);
    private static final Duration FORGOTTEN = Duration.ofHours(1);
    private static final Duration REMEMBERED = Duration.ofDays(30);
    private static final int MOST = 10_000;

    private final Clock clock;
    private final Cache<String, Failures> failures =
            Caffeine.newBuilder().expireAfterWrite(FORGOTTEN).maximumSize(MOST).build();

    private final Cache<String, Boolean> places =
            Caffeine.newBuilder().expireAfterWrite(REMEMBERED).maximumSize(MOST).build();

    Attempts(Clock clock) {
        this.clock = clock;
    }

    private record Failures(int count, Instant until) {
        static final Failures NONE = new Failures(0, Instant.EPOCH);

        /** An attempt counts as failed until it succeeds, so that many at once are no way round. */
        Failures another(Instant now) {
            int more = count + 1;
            return new Failures(more, more < FREE ? Instant.EPOCH : now.plus(waitAfter(more)));
        }

        /** Whoever began an attempt had waited. */
        Failures oneLess() {
            return count <= 1 ? null : new Failures(count - 1, Instant.EPOCH);
        }
    }

    /**
     * Begins an attempt.
     *
     * @throws LoginLockedException if it must wait
     */
    void begin(String name, String address) {
        Instant now = clock.instant();
        List<String> keys = keys(name, address);
        // Both are asked before either counts: an attempt that is not made is no failure.
        keys.forEach(key -> requireUnlocked(failures.getIfPresent(key), now));
        keys.forEach(key -> failures.asMap().compute(key, (same, before) -> {
            requireUnlocked(before, now);
            return (before == null ? Failures.NONE : before).another(now);
        }));
    }

    /** The attempt was right. */
    void succeeded(String name, String address) {
        failures.invalidateAll(keys(name, address));
        places.put(place(name, address), true);
    }

    /** The attempt was not judged, so it was no failure. */
    void notJudged(String name, String address) {
        keys(name, address).forEach(key -> failures.asMap().computeIfPresent(key, (same, now) -> now.oneLess()));
    }

    private static void requireUnlocked(Failures before, Instant now) {
        if (before != null && before.until().isAfter(now)) {
            throw new LoginLockedException(Duration.between(now, before.until()));
        }
    }

    private static Duration waitAfter(int failures) {
        Duration wait = FIRST_WAIT;
        for (int i = FREE; i < failures && wait.compareTo(LONGEST_WAIT) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    private List<String> keys(String name, String address) {
        String from = "address " + address;
        return places.getIfPresent(place(name, address)) != null ? List.of(from) : List.of("name " + name, from);
    }

    /** An address has no space in it. */
    private static String place(String name, String address) {
        return address + " " + name;
    }
}
