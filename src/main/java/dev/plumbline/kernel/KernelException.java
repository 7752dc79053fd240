package dev.plumbline.kernel;

/** A kernel refused its arguments or failed; the message names the kernel, the argument, its value and the bound. */
public final class KernelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure described by {@code message}. */
    public KernelException(String message) {
        super(message);
    }

    /** A failure with its cause. */
    public KernelException(String message, Throwable cause) {
        super(message, cause);
    }
}
