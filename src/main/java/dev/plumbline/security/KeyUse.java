package dev.plumbline.security;

import dev.plumbline.database.Database;
import dev.plumbline.database.PeriodicWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Notes every few seconds which keys were used, for all of them at once. */
@Component
final class KeyUse extends PeriodicWriter {
    private static final Logger LOG = LoggerFactory.getLogger(KeyUse.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final Database database;
    private final Map<UUID, Instant> latest = new ConcurrentHashMap<>();

    KeyUse(Database database) {
        super(database, PERIOD);
        this.database = database;
    }

    /** A key was used now. */
    void used(UUID key) {
        latest.put(key, Instant.now());
    }

    @Override
    protected void write() {
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
}
