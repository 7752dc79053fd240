package dev.plumbline.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections to a server, and the tables on it. */
final class Pool {
    static final int CONNECT_SECONDS = 3;

    private static final int STATEMENT_SECONDS = 10;

    /** More than the server's own limit, which says what happened. */
    private static final int SOCKET_SECONDS = 15;

    private Pool() {}

    /** A pool that waits for nothing long: neither for a connection nor for a statement. */
    static HikariDataSource of(PGSimpleDataSource server, int connections) {
        server.setConnectTimeout(CONNECT_SECONDS);
        server.setSocketTimeout(SOCKET_SECONDS);
        server.setApplicationName("plumbline");
        HikariConfig config = new HikariConfig();
        config.setPoolName("database");
        config.setDataSource(server);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setInitializationFailTimeout(-1);
        config.setConnectionInitSql("SET statement_timeout = '" + STATEMENT_SECONDS + "s'");
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(CONNECT_SECONDS));
        config.setValidationTimeout(TimeUnit.SECONDS.toMillis(CONNECT_SECONDS) - 1);
        return new HikariDataSource(config);
    }

    /** Makes and updates the tables, on a connection of its own: rewriting a large one takes as long as it takes. */
    static void migrate(PGSimpleDataSource server) {
        PGSimpleDataSource patient = new PGSimpleDataSource();
        patient.setURL(server.getURL());
        patient.setUser(server.getUser());
        patient.setPassword(server.getPassword());
        patient.setSocketTimeout(0);
        Flyway.configure()
                .dataSource(patient)
                .locations("classpath:db/migration")
                .load()
                .migrate();
    }
}
