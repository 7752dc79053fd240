package dev.plumbline.database;

/** The database does not answer now. */
public final class DatabaseUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DatabaseUnavailableException(Throwable cause) {
        super("the database does not answer", cause);
    }
}
