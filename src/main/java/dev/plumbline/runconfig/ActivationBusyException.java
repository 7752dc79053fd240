package dev.plumbline.runconfig;

/** Another activation is in progress, or has come first. */
public final class ActivationBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ActivationBusyException() {
        super("another activation is in progress or has come first", null, false, false);
    }
}
