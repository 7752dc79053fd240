package dev.plumbline.target;

/** The engine refused a prompt or a parameter; the message names it. */
public final class InvalidPromptException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidPromptException(String message, Throwable cause) {
        super(message, cause);
    }
}
