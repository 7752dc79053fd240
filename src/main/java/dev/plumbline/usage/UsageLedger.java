package dev.plumbline.usage;

import dev.plumbline.database.Database;
import dev.plumbline.database.PeriodicWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Adds up usage and stores it every second; what a lost database does not take waits for it. */
@Component
public final class UsageLedger extends PeriodicWriter {
    private static final Logger LOG = LoggerFactory.getLogger(UsageLedger.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Database database;
    private final Map<Account, Usage> waiting = new ConcurrentHashMap<>();

    UsageLedger(Database database) {
        super(database, PERIOD);
        this.database = database;
    }

    /** The charge for one request; it is added once it is settled or ended. */
    public Charge open(Account account) {
        return new Charge(this, account);
    }

    void add(Account account, Usage usage) {
        waiting.merge(account, usage, Usage::plus);
    }

    @Override
    protected void write() {
        for (Account account : waiting.keySet()) {
            Usage usage = waiting.remove(account);
            if (usage != null && !write(account, usage)) {
                add(account, usage);
                return;
            }
        }
    }

    private boolean write(Account account, Usage usage) {
        try {
            return database.now(client -> {
                UsageTable.add(client, account, usage);
                return true;
            });
        } catch (RuntimeException e) {
            LOG.debug("Usage could not be stored", e);
            return false;
        }
    }
}
