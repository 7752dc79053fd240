package dev.plumbline.database;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Tells a database that does not answer from one that refuses. */
final class Lost {
    /** Classes of SQLSTATE: connection, resources, operator, system. */
    private static final Set<String> CLASSES = Set.of("08", "53", "57", "58");

    private Lost() {}

    static boolean isCauseOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientConnectionException
                    || cause instanceof SQLException sql && hasLostState(sql)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasLostState(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && state.length() == 5 && CLASSES.contains(state.substring(0, 2));
    }
}
