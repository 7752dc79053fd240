package dev.plumbline.database;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Tells a database that cannot serve now from one that refuses. */
final class Lost {
    static final String NO_ANSWER = "the database does not answer";

    /** Classes of SQLSTATE: connection, resources, operator, system. */
    private static final Set<String> CLASSES = Set.of("08", "53", "57", "58");

    private static final String DISK_FULL = "53100";
    private static final String STATEMENT_CANCELLED = "57014";

    private Lost() {}

    /** Why the database could not serve, or null if something else went wrong. */
    static String reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && hasLostState(sql)) {
                return words(sql.getSQLState());
            }
            if (cause instanceof SQLTransientConnectionException) {
                return NO_ANSWER;
            }
        }
        return null;
    }

    private static String words(String state) {
        return switch (state) {
            case DISK_FULL -> "the disk of the database is full";
            case STATEMENT_CANCELLED -> "the database took too long";
            default -> NO_ANSWER;
        };
    }

    private static boolean hasLostState(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && state.length() == 5 && CLASSES.contains(state.substring(0, 2));
    }

    /** The driver's own words, in one line, for the log of the operator. */
    static String words(Throwable failure) {
        String words = failure.getMessage();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException) {
                words = cause.getMessage();
            }
        }
        return String.valueOf(words).strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
