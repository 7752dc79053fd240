package dev.plumbline.ops;

/** The server is going down. */
public final class ShutdownException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ShutdownException() {
        super("the server is shutting down", null, false, false);
    }
}
