package dev.plumbline.recall.remote;

import java.time.Duration;

/** A server did not do what it was asked; the message is a sentence about the server, without its name and its key. */
final class ServerFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean temporary;
    private final transient Duration retryAfter;

    private ServerFailure(String message, boolean temporary, Duration retryAfter) {
        super(message, null, false, false);
        this.temporary = temporary;
        this.retryAfter = retryAfter;
    }

    /** Asking again would not help, or must not happen. */
    static ServerFailure lasting(String message) {
        return new ServerFailure(message, false, null);
    }

    /** Asking again later may help; {@code retryAfter} is what the server says of it, or null. */
    static ServerFailure temporary(String message, Duration retryAfter) {
        return new ServerFailure(message, true, retryAfter);
    }

    boolean temporary() {
        return temporary;
    }

    /** How long the server wants to be left alone, or null. */
    Duration retryAfter() {
        return retryAfter;
    }
}
