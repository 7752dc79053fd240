package dev.plumbline.security;

import dev.plumbline.database.Database;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** Makes the administrator at the first start on a database, as soon as that answers. */
@Component
final class FirstStart implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(FirstStart.class);
    private static final long RETRY_SECONDS = 1;

    private final Database database;
    private final Access access;
    private final Disposable.Swap retry = Disposables.swap();
    private volatile boolean running;

    FirstStart(Database database, Access access) {
        this.database = database;
        this.access = access;
    }

    @Override
    public void start() {
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
            Administrator.create(database).ifPresent(access.announce());
            return true;
        } catch (RuntimeException e) {
            LOG.debug("The administrator could not be looked for", e);
            return false;
        }
    }

    @Override
    public void stop() {
        retry.dispose();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before the web server. */
    @Override
    public int getPhase() {
        return 0;
    }
}
