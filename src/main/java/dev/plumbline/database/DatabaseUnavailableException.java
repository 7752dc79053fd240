package dev.plumbline.database;

/** The database cannot serve now; the message says why in words for a client. */
public final class DatabaseUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DatabaseUnavailableException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
