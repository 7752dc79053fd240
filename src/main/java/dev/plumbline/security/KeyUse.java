package dev.plumbline.security;

import dev.plumbline.database.Database;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** Notes every few seconds which keys were used, for all of them at once. */
@Component
final class KeyUse implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(KeyUse.class);
    private static final long PERIOD_SECONDS = 2;

    private final Database database;
    private final Map<UUID, Instant> latest = new ConcurrentHashMap<>();
    private final Disposable.Swap timer = Disposables.swap();
    private volatile boolean running;

    KeyUse(Database database) {
        this.database = database;
    }

    /** A key was used now. */
    void used(UUID key) {
        latest.put(key, Instant.now());
    }

    private void write() {
        // In order: servers of one database must not wait for each other's rows crosswise.
        Map<UUID, Instant> taken = new TreeMap<>(latest);
        if (taken.isEmpty()) {
            return;
        }
        try {
            database.now(client -> {
                KeyTable.used(client, taken);
                return true;
            });
            taken.forEach(latest::remove);
        } catch (RuntimeException e) {
            LOG.debug("The use of keys could not be noted", e);
        }
    }

    @Override
    public void start() {
        running = true;
        timer.update(database.recordScheduler()
                .schedulePeriodically(this::write, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS));
    }

    @Override
    public void stop() {
        timer.dispose();
        write();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops after the web server. */
    @Override
    public int getPhase() {
        return 0;
    }
}
