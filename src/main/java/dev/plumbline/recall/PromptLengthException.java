package dev.plumbline.recall;

/** A prompt of the wanted length cannot be built; the message says why. */
public final class PromptLengthException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PromptLengthException(String message) {
        super(message);
    }
}
