package dev.plumbline.database;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * What a starting server puts into its database: tried before the web server starts, and every second until the database
 * has taken it.
 */
public abstract class OnceAnswered implements SmartLifecycle {
    private static final long RETRY_SECONDS = 1;

    private final Logger log = LoggerFactory.getLogger(getClass());
    private final Database database;
    private final Disposable.Swap retry = Disposables.swap();
    private volatile boolean running;

    protected OnceAnswered(Database database) {
        this.database = database;
    }

    /** Does it, or throws. */
    protected abstract void put();

    @Override
    public final void start() {
        running = true;
        if (!attempt()) {
            retry.update(database.scheduler()
                    .schedulePeriodically(this::again, RETRY_SECONDS, RETRY_SECONDS, TimeUnit.SECONDS));
        }
    }

    private void again() {
        if (attempt()) {
            retry.dispose();
        }
    }

    private boolean attempt() {
        try {
            put();
            return true;
        } catch (RuntimeException e) {
            log.debug("The database has not taken it yet", e);
            return false;
        }
    }

    @Override
    public final void stop() {
        retry.dispose();
        running = false;
    }

    @Override
    public final boolean isRunning() {
        return running;
    }

    /** Before the web server. */
    @Override
    public final int getPhase() {
        return 0;
    }
}
