package dev.plumbline.recall.judge;

import dev.plumbline.recall.verdict.NotComparable;

/** Two runs must not be compared; the message names all that differs. */
public final class NotComparableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient NotComparable reason;

    NotComparableException(NotComparable reason) {
        super(reason.sentence());
        this.reason = reason;
    }

    /** What differs. */
    public NotComparable reason() {
        return reason;
    }
}
