package dev.plumbline.recall.suite.stored;

import dev.plumbline.database.Database;
import dev.plumbline.recall.suite.BuiltInSuites;
import dev.plumbline.recall.suite.Suite;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** Puts the built-in suites into the database when a server starts, as soon as that answers. */
@Component
final class SuiteSeeds implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(SuiteSeeds.class);
    private static final long RETRY_SECONDS = 1;

    private final Database database;
    private final SuiteStore suites;
    private final Disposable.Swap retry = Disposables.swap();
    private volatile boolean running;

    SuiteSeeds(Database database, SuiteStore suites) {
        this.database = database;
        this.suites = suites;
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
            for (Suite suite : BuiltInSuites.all()) {
                if (!suites.keep(suite)) {
                    LOG.info(
                            "The built-in suite {} is not in the database: the name belongs to a user's suite",
                            suite.label());
                }
            }
            return true;
        } catch (RuntimeException e) {
            LOG.debug("The built-in suites could not be stored", e);
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
