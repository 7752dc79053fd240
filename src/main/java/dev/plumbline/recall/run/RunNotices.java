package dev.plumbline.recall.run;

import dev.plumbline.database.Database;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Tells that some run of the database may have changed, on whatever server. One connection for all who want to know. */
@Component
final class RunNotices implements SmartLifecycle {
    private final Database database;
    private final AtomicLong heard = new AtomicLong();
    private final Sinks.Many<Long> changes = Sinks.many().replay().latest();
    private volatile Disposable listening;

    RunNotices(Database database) {
        this.database = database;
    }

    /** How many notices have come so far. */
    long heard() {
        return heard.get();
    }

    /** Completes once a notice has come since {@link #heard} gave that number. */
    Mono<Void> since(long number) {
        return changes.asFlux().filter(count -> count > number).next().then();
    }

    private void changed() {
        changes.tryEmitNext(heard.incrementAndGet());
    }

    @Override
    public void start() {
        listening = database.listen(EventTable.CHANNEL, this::changed);
    }

    @Override
    public void stop() {
        listening.dispose();
        listening = null;
    }

    @Override
    public boolean isRunning() {
        return listening != null;
    }

    /** Before the web server, and after it at the end. */
    @Override
    public int getPhase() {
        return 0;
    }
}
