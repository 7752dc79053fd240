package dev.plumbline.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The database of a server. Whether it answers is looked up once a second; while it does not, calls fail at once, and a
 * dead embedded server is started again.
 */
public final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final int CONNECTIONS = 8;
    private static final int QUEUED_CALLS = 10_000;
    private static final int CONNECT_SECONDS = 3;
    private static final int SOCKET_SECONDS = 15;
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final EmbeddedPostgres embedded;
    private final PGSimpleDataSource server;
    private final HikariDataSource pool;
    private final JdbcClient client;
    private final TransactionTemplate transactions;
    private final Scheduler calls = Schedulers.newBoundedElastic(CONNECTIONS, QUEUED_CALLS, "database");
    private final Scheduler watch = Schedulers.newSingle("database-watch", true);
    private Disposable watching;
    private boolean migrated;
    private volatile boolean up;

    private Database(EmbeddedPostgres embedded, PGSimpleDataSource server) {
        this.embedded = embedded;
        this.server = server;
        server.setConnectTimeout(CONNECT_SECONDS);
        server.setSocketTimeout(SOCKET_SECONDS);
        server.setApplicationName("plumbline");
        HikariConfig config = new HikariConfig();
        config.setPoolName("database");
        config.setDataSource(server);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(CONNECT_SECONDS));
        config.setValidationTimeout(TimeUnit.SECONDS.toMillis(CONNECT_SECONDS) - 1);
        this.pool = new HikariDataSource(config);
        this.client = JdbcClient.create(pool);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
    }

    /**
     * Starts PostgreSQL on a data folder; takes seconds at the first start.
     *
     * @param cache where its programs are unpacked
     * @throws DatabaseException if it does not start, or another process has the folder
     */
    public static Database embedded(Path data, Path cache) {
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data, cache);
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setServerNames(new String[] {"127.0.0.1"});
        server.setPortNumbers(new int[] {postgres.port()});
        server.setDatabaseName("postgres");
        server.setUser(EmbeddedPostgres.USER);
        server.setPassword(postgres.password());
        return new Database(postgres, server).watched();
    }

    /**
     * Uses a server that runs already, or will.
     *
     * @param url {@code jdbc:postgresql://HOST:PORT/DATABASE}
     * @throws DatabaseException if the URL is none
     */
    public static Database external(String url, String user, String password) {
        PGSimpleDataSource server = new PGSimpleDataSource();
        try {
            server.setURL(url);
        } catch (IllegalArgumentException e) {
            throw new DatabaseException("the database URL is wrong; allowed: jdbc:postgresql://HOST:PORT/DATABASE", e);
        }
        if (user != null) {
            server.setUser(user);
        }
        if (password != null) {
            server.setPassword(password);
        }
        return new Database(null, server).watched();
    }

    private Database watched() {
        check();
        watching = watch.schedulePeriodically(this::check, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        return this;
    }

    /** Whether no other process writes to this database. */
    public boolean exclusive() {
        return embedded != null;
    }

    /** Whether it answered when it was last asked. */
    public boolean up() {
        return up;
    }

    /** Threads on which calls may block. */
    public Scheduler scheduler() {
        return calls;
    }

    /** Does work in one transaction on a thread that may block; a null result is an empty Mono. */
    public <T> Mono<T> transaction(Function<JdbcClient, T> work) {
        return blocking(() -> now(work));
    }

    /** Does something that calls {@link #now}. */
    public <T> Mono<T> blocking(Callable<T> work) {
        return Mono.fromCallable(work).subscribeOn(calls);
    }

    /**
     * Does work in one transaction on this thread.
     *
     * @throws DatabaseUnavailableException if the database does not answer
     */
    public <T> T now(Function<JdbcClient, T> work) {
        if (!up) {
            throw new DatabaseUnavailableException(null);
        }
        try {
            return transactions.execute(status -> work.apply(client));
        } catch (RuntimeException e) {
            throw Lost.isCauseOf(e) ? new DatabaseUnavailableException(e) : e;
        }
    }

    private void check() {
        try {
            if (!migrated) {
                migrate();
            }
            try (Connection connection = pool.getConnection()) {
                set(connection.isValid(CONNECT_SECONDS));
            }
        } catch (SQLException | RuntimeException e) {
            if (up || !migrated) {
                LOG.debug("The database failed", e);
            }
            set(false);
            restart();
        }
    }

    private void migrate() {
        Flyway.configure()
                .dataSource(pool)
                .locations("classpath:db/migration")
                .load()
                .migrate();
        migrated = true;
    }

    private void set(boolean answers) {
        if (up && !answers) {
            LOG.warn("The database does not answer; it is tried again every second");
        } else if (!up && answers && watching != null) {
            LOG.warn("The database answers again");
        }
        up = answers;
    }

    private void restart() {
        if (embedded != null) {
            try {
                embedded.ensureRunning();
                server.setPortNumbers(new int[] {embedded.port()});
            } catch (IOException | DatabaseException e) {
                LOG.warn("PostgreSQL cannot be started again: {}", e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        watching.dispose();
        watch.dispose();
        calls.dispose();
        pool.close();
        if (embedded != null) {
            embedded.close();
        }
    }
}
