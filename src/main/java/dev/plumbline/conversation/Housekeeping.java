package dev.plumbline.conversation;

import dev.plumbline.database.Database;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;

/**
 * Answers that nobody writes any more become incomplete: in a database of one's own those of earlier processes at once,
 * in any database those that were not touched for a while.
 */
@Component
final class Housekeeping implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration ABANDONED = Duration.ofSeconds(20);
    private static final Duration PERIOD = Duration.ofSeconds(5);

    private final Database database;
    private final Instant started = Instant.now();
    private volatile Disposable timer;

    Housekeeping(Database database) {
        this.database = database;
    }

    @Override
    public void start() {
        sweep();
        timer = database.scheduler()
                .schedulePeriodically(this::sweep, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        try {
            database.now(client -> client.sql("UPDATE completion SET status = 'incomplete' WHERE status = 'in_progress'"
                            + " AND (touched_at < clock_timestamp() - make_interval(secs => :age)"
                            + " OR :alone AND touched_at < :started)")
                    .param("age", ABANDONED.toSeconds())
                    .param("alone", database.exclusive())
                    .param("started", Timestamp.from(started))
                    .update());
        } catch (RuntimeException e) {
            LOG.debug("Abandoned answers could not be looked for", e);
        }
    }

    @Override
    public void stop() {
        Disposable running = timer;
        if (running != null) {
            running.dispose();
        }
        timer = null;
    }

    @Override
    public boolean isRunning() {
        return timer != null;
    }

    /** Before the web server. */
    @Override
    public int getPhase() {
        return 0;
    }
}
