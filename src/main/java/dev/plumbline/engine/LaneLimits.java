package dev.plumbline.engine;

import java.time.Duration;

/**
 * How much memory lanes may take and how long an idle one is kept.
 *
 * @param memoryBytes bytes of weights, pools and working memory of all lanes together; {@link #BY_MACHINE} leaves it to
 *     the backend: a share of its memory, and at least what the first lane takes
 * @param idle how long a lane that nobody needs stays open
 */
public record LaneLimits(long memoryBytes, Duration idle) {
    /** The backend's share. */
    public static final long BY_MACHINE = 0;

    /** Checks the numbers. */
    public LaneLimits {
        if (memoryBytes < 0) {
            throw new IllegalArgumentException("lane_memory is " + memoryBytes + " bytes; allowed: 1 and more");
        }
        if (idle.isNegative() || idle.isZero()) {
            throw new IllegalArgumentException("lane_idle is " + idle + "; allowed: more than 0");
        }
    }

    /** The backend's share, and ten minutes. */
    public static LaneLimits defaults() {
        return new LaneLimits(BY_MACHINE, Duration.ofMinutes(10));
    }
}
