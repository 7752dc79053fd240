package dev.plumbline.runconfig;

/** This server cannot serve the run config that it should, so that requests which name none are refused. */
public final class NotServedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A request cannot be served; {@code message} says why, without a full stop. */
    public NotServedException(String message) {
        super(message, null, false, false);
    }
}
