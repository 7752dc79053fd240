package dev.plumbline.schedule;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.FailureHandler;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.schedule.Firings.Next;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Does what is due, on whichever server takes it first. Every task ends within seconds and says when it goes on; where it
 * stands is in the database, so that another server can take over. The times of one that is overdue are not made up for: it
 * is done once and then at its next time.
 */
@Component
final class Jobs implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
    private static final int THREADS = 3;
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofSeconds(5);

    /** A server that was not heard of for four times as long has ended; its tasks are another's. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private static final int MISSED = 4;
    private static final long START_SECONDS = 1;

    /** What takes longer when this server ends is interrupted, and is done again elsewhere. */
    private static final Duration END = Duration.ofSeconds(5);

    private final Database database;
    private final Scheduler scheduler;
    private final Disposable.Swap starting = Disposables.swap();
    private volatile boolean running;

    Jobs(Database database, Firings firings, Deliveries deliveries, List<Recurring> recurring) {
        this.database = database;
        Task<Void> clock = task(Due.CLOCK, firings::clock);
        Task<Void> firing = task(Due.FIRING, (id, due) -> firings.step(id));
        Task<Void> event = task(Due.EVENT, (id, due) -> deliveries.attempt(id));
        this.scheduler = Scheduler.create(database.connections(), clock, firing, event)
                .startTasks(recurring.stream().map(Jobs::task).toList())
                .tableName(Due.TABLE)
                .jdbcCustomization(Due.POSTGRES)
                .threads(THREADS)
                .pollingInterval(POLL)
                .heartbeatInterval(HEARTBEAT)
                .missedHeartbeatsLimit(MISSED)
                .shutdownMaxWait(END)
                .schedulerName(new SchedulerName.Fixed(ProcessHandle.current().pid() + ":" + UUID.randomUUID()))
                .build();
    }

    /** A task whose instances are rows, by their ids. */
    private static Task<Void> task(TaskDescriptor<Void> descriptor, BiFunction<UUID, Instant, Optional<Next>> work) {
        return Tasks.custom(descriptor)
                .onFailure(new FailureHandler.OnFailureRetryLater<>(RETRY))
                .execute((instance, context) -> after(told(
                        () -> work.apply(UUID.fromString(instance.getId()), context.getExecution().executionTime))));
    }

    private static RecurringTask<Void> task(Recurring recurring) {
        return Tasks.recurring(recurring.name(), FixedDelay.of(recurring.period()))
                .execute((instance, context) -> told(() -> {
                    recurring.run();
                    return true;
                }));
    }

    /** What fails is tried again; a lost database says so itself. */
    private static <T> T told(Supplier<T> work) {
        try {
            return work.get();
        } catch (DatabaseUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.warn("Something that was due has failed and is tried again", e);
            throw e;
        }
    }

    private static CompletionHandler<Void> after(Optional<Next> next) {
        return next.<CompletionHandler<Void>>map(again -> (done, operations) -> operations.reschedule(done, again.at()))
                .orElseGet(CompletionHandler.OnCompleteRemove::new);
    }

    @Override
    public void start() {
        running = true;
        starting.update(database.scheduler().schedulePeriodically(this::begin, 0, START_SECONDS, TimeUnit.SECONDS));
    }

    /** As soon as the database answers, since it must have the tables. */
    private void begin() {
        if (database.up()) {
            starting.update(Disposables.disposed());
            try {
                scheduler.start();
            } catch (RuntimeException e) {
                LOG.error("Nothing is done by schedule on this server", e);
            }
        }
    }

    @Override
    public void stop() {
        starting.dispose();
        scheduler.stop();
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
