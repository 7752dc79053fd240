package dev.plumbline.database;

/** A secret cannot be stored or read; the message says why, and nothing of the secret. */
public final class SecretException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SecretException(String message) {
        super(message, null, false, false);
    }
}
