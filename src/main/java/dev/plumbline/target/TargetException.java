package dev.plumbline.target;

/** A target cannot be had as asked for; the message says why and what would work. */
public final class TargetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A refusal in one sentence. */
    public TargetException(String message) {
        super(message);
    }

    /** A refusal in one sentence, with its cause. */
    public TargetException(String message, Throwable cause) {
        super(message, cause);
    }
}
