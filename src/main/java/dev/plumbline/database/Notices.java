package dev.plumbline.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;

/**
 * Hears what transactions of any server say on a channel, on a connection and a thread of its own. A lost connection is
 * made again; what was said meanwhile is lost, so the listener is called then too.
 */
final class Notices implements Disposable {
    private static final Logger LOG = LoggerFactory.getLogger(Notices.class);
    private static final int WAIT_MILLIS = 5000;

    private final PGSimpleDataSource server;
    private final String channel;
    private final Runnable listener;
    private final Thread thread;
    private volatile boolean disposed;

    /** {@code channel} becomes part of a statement: an identifier of the program, nothing a user wrote. */
    Notices(PGSimpleDataSource server, String channel, Runnable listener) {
        this.server = server;
        this.channel = channel;
        this.listener = listener;
        this.thread = new Thread(this::run, "database-notices");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!disposed) {
            try (Connection connection = server.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("LISTEN " + channel);
                listener.run();
                hear(connection, statement);
            } catch (SQLException e) {
                LOG.debug("Nothing can be heard from the database", e);
                rest();
            }
        }
    }

    private void hear(Connection connection, Statement statement) throws SQLException {
        PGConnection notified = connection.unwrap(PGConnection.class);
        while (!disposed) {
            PGNotification[] heard = notified.getNotifications(WAIT_MILLIS);
            if (heard == null || heard.length == 0) {
                // Otherwise a server that went without a word would never be missed.
                statement.execute("SELECT 1");
            } else {
                listener.run();
            }
        }
    }

    private void rest() {
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException e) {
            disposed = true;
        }
    }

    @Override
    public void dispose() {
        disposed = true;
        thread.interrupt();
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }
}
