package dev.plumbline.trace;

/**
 * Consecutive tokens.
 *
 * @param from position of the first, at least 0
 * @param to one more than the position of the last, more than {@code from}
 */
public record TokenSpan(int from, int to) {

    /** Refuses an empty span. */
    public TokenSpan {
        if (from < 0 || to <= from) {
            throw new IllegalArgumentException(
                    "a span is [" + from + ", " + to + "); allowed: from 0 on, at least one token");
        }
    }
}
