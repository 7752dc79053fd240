package dev.plumbline.database;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** Writes every so often what a server has gathered, and the rest once it answers nobody any more. */
public abstract class PeriodicWriter implements SmartLifecycle {
    private final Database database;
    private final Duration period;
    private final Disposable.Swap timer = Disposables.swap();
    private volatile boolean running;

    protected PeriodicWriter(Database database, Duration period) {
        this.database = database;
        this.period = period;
    }

    /** Writes what there is; keeps what the database does not take. Must not throw. */
    protected abstract void write();

    @Override
    public final void start() {
        running = true;
        timer.update(database.recordScheduler()
                .schedulePeriodically(this::write, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Override
    public final void stop() {
        timer.dispose();
        write();
        running = false;
    }

    @Override
    public final boolean isRunning() {
        return running;
    }

    /** Stops after the web server. */
    @Override
    public final int getPhase() {
        return 0;
    }
}
