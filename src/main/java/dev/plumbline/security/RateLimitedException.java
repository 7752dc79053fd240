package dev.plumbline.security;

/** A key has used up its requests of this minute. */
public final class RateLimitedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int limit;
    private final int retryAfterSeconds;

    RateLimitedException(int limit, int retryAfterSeconds) {
        super("rate limit of " + limit + " requests a minute", null, false, false);
        this.limit = limit;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    /** Requests a minute. */
    public int limit() {
        return limit;
    }

    /** Time until the next request passes. */
    public int retryAfterSeconds() {
        return retryAfterSeconds;
    }
}
