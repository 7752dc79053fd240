package dev.plumbline.database;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
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

    /** Beyond those of the threads: for libraries and workers, and the watch must not take a busy database for a lost one. */
    private static final int SPARE_CONNECTIONS = 12;

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final EmbeddedPostgres embedded;
    private final PGSimpleDataSource server;
    private final HikariDataSource pool;
    private final SecretBox secrets;
    private final JdbcClient client;
    private final TransactionTemplate transactions;
    private final CallThreads calls = new CallThreads("database");
    /** Of their own: an answer's text is committed in time however long others search. */
    private final CallThreads records = new CallThreads("database-records");

    private final Scheduler watch = Schedulers.newSingle("database-watch", true);
    private Disposable watching;
    private boolean migrated;
    private volatile boolean up;
    private volatile String reason = "it was not asked yet";

    private Database(EmbeddedPostgres embedded, PGSimpleDataSource server, SecretBox secrets) {
        this.embedded = embedded;
        this.server = server;
        this.secrets = secrets;
        this.pool = Pool.of(server, 2 * CallThreads.COUNT + SPARE_CONNECTIONS);
        this.client = JdbcClient.create(pool);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
    }

    /**
     * Starts PostgreSQL on a data folder; takes seconds at the first start. The key for secrets is in the folder too.
     *
     * @param cache where its programs are unpacked
     * @throws DatabaseException if it does not start, or another process has the folder
     */
    public static Database embedded(Path data, Path cache) {
        return embedded(data, cache, null);
    }

    /**
     * The same with another key for secrets.
     *
     * @param secretKey 64 hexadecimal digits; null for the folder's own key
     * @throws DatabaseException if the key is none
     */
    public static Database embedded(Path data, Path cache, String secretKey) {
        SecretBox secrets = secretKey == null ? new SecretBox(() -> SecretKey.of(data)) : box(secretKey);
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data, cache);
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setServerNames(new String[] {"127.0.0.1"});
        server.setPortNumbers(new int[] {postgres.port()});
        server.setDatabaseName("postgres");
        server.setUser(EmbeddedPostgres.USER);
        server.setPassword(postgres.password());
        return new Database(postgres, server, secrets).watched();
    }

    /**
     * Uses a server that runs already, or will; it has no key for secrets.
     *
     * @param url {@code jdbc:postgresql://HOST:PORT/DATABASE}
     * @throws DatabaseException if the URL is none
     */
    public static Database external(String url, String user, String password) {
        return external(url, user, password, null);
    }

    /**
     * The same with a key for secrets, which every server of the database must have.
     *
     * @param secretKey 64 hexadecimal digits, or null
     * @throws DatabaseException if the key is none
     */
    public static Database external(String url, String user, String password, String secretKey) {
        SecretBox secrets = secretKey == null ? new SecretBox(SecretKey::missing) : box(secretKey);
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
        return new Database(null, server, secrets).watched();
    }

    private static SecretBox box(String digits) {
        byte[] key = SecretKey.parse(digits);
        return new SecretBox(() -> key);
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

    /** Why it does not answer, in words for the operator; of no meaning while it does. */
    String reason() {
        return reason;
    }

    /**
     * Connections for a library that has SQL of its own. Within {@link #now} they take part in its transaction; none is to be
     * had while the database does not answer.
     */
    public DataSource connections() {
        return new TransactionAwareDataSourceProxy(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                if (!up) {
                    throw new SQLTransientConnectionException(Lost.NO_ANSWER);
                }
                return super.getConnection();
            }
        };
    }

    /** Encrypts what is stored and must not be read in a copy of the database. */
    public SecretBox secrets() {
        return secrets;
    }

    /** Threads on which calls may block. */
    public Scheduler scheduler() {
        return calls.scheduler();
    }

    /** The same for what is being written while others read; short calls only. */
    public Scheduler recordScheduler() {
        return records.scheduler();
    }

    /** Does work in one transaction on a thread that may block; a null result is an empty Mono. */
    public <T> Mono<T> transaction(Function<JdbcClient, T> work) {
        return on(calls, () -> now(work));
    }

    /** Does something short that calls {@link #now}, while others may be reading at length. */
    public <T> Mono<T> recording(Callable<T> work) {
        return on(records, work);
    }

    private static <T> Mono<T> on(CallThreads threads, Callable<T> work) {
        return Mono.fromCallable(work)
                .subscribeOn(threads.scheduler())
                .onErrorMap(
                        RejectedExecutionException.class,
                        e -> new DatabaseUnavailableException("too many requests wait for the database", e));
    }

    /**
     * Does work in one transaction on this thread.
     *
     * @throws DatabaseUnavailableException if the database does not answer
     */
    public <T> T now(Function<JdbcClient, T> work) {
        if (!up) {
            throw new DatabaseUnavailableException(Lost.NO_ANSWER, null);
        }
        try {
            return transactions.execute(status -> work.apply(client));
        } catch (RuntimeException e) {
            String lost = Lost.reason(e);
            throw lost != null ? new DatabaseUnavailableException(lost, e) : e;
        }
    }

    /**
     * Calls back whenever a transaction of any server notifies the channel, and whenever something may have been missed.
     * Calls come on a thread of their own and must not wait long.
     *
     * @param channel an identifier of the program, nothing a user wrote
     */
    public Disposable listen(String channel, Runnable listener) {
        return new Notices(server, channel, listener);
    }

    private void check() {
        try {
            if (!migrated) {
                Pool.migrate(server);
                migrated = true;
            }
            try (Connection connection = pool.getConnection()) {
                if (!connection.isValid(Pool.CONNECT_SECONDS)) {
                    throw new SQLException("it gave no answer within " + Pool.CONNECT_SECONDS + " s");
                }
            }
            answered();
        } catch (SQLException | RuntimeException e) {
            lost(Lost.words(e) + restart());
        }
    }

    private void answered() {
        if (!up && watching != null) {
            LOG.warn("The database answers again");
        }
        up = true;
    }

    /** Says every reason once, since the next one may be the one to act on. */
    private void lost(String words) {
        if (up || !words.equals(reason)) {
            LOG.warn("The database does not answer: {}. It is tried again every second", words);
        }
        reason = words;
        up = false;
    }

    /** Starts an embedded server that does not run; what prevents it, if anything does. */
    private String restart() {
        if (embedded != null) {
            try {
                embedded.ensureRunning();
                server.setPortNumbers(new int[] {embedded.port()});
            } catch (IOException | DatabaseException e) {
                return "; " + e.getMessage();
            }
        }
        return "";
    }

    @Override
    public void close() {
        watching.dispose();
        watch.dispose();
        calls.close();
        records.close();
        pool.close();
        if (embedded != null) {
            embedded.close();
        }
    }
}
