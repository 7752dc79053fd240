package dev.plumbline.usage;

import dev.plumbline.database.Database;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** Adds up usage and stores it every second; what a lost database does not take waits for it. */
@Component
public final class UsageLedger implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(UsageLedger.class);
    private static final long PERIOD_SECONDS = 1;

    private final Database database;
    private final Map<Account, Usage> waiting = new ConcurrentHashMap<>();
    private final Disposable.Swap timer = Disposables.swap();
    private volatile boolean running;

    UsageLedger(Database database) {
        this.database = database;
    }

    /** The charge for one request; it is added once it is settled or ended. */
    public Charge open(Account account) {
        return new Charge(this, account);
    }

    void add(Account account, Usage usage) {
        waiting.merge(account, usage, Usage::plus);
    }

    private void write() {
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
