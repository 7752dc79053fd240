package dev.plumbline.database;

import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Threads that wait for the database. They share one queue: no call waits for a slow one while a thread is free. */
final class CallThreads implements AutoCloseable {
    static final int COUNT = 6;

    private static final int MOST_QUEUED = 10_000;

    private final Scheduler scheduler;

    CallThreads(String name) {
        CustomizableThreadFactory factory = new CustomizableThreadFactory(name + "-");
        factory.setDaemon(true);
        Bounded executor = new Bounded(factory);
        executor.setRemoveOnCancelPolicy(true);
        this.scheduler = Schedulers.fromExecutorService(executor, name);
    }

    /** Takes periodic tasks too. */
    Scheduler scheduler() {
        return scheduler;
    }

    @Override
    public void close() {
        scheduler.dispose();
    }

    /** Refuses what would wait for ever longer. */
    private static final class Bounded extends ScheduledThreadPoolExecutor {
        Bounded(CustomizableThreadFactory factory) {
            super(COUNT, factory);
        }

        @Override
        public <T> ScheduledFuture<T> schedule(Callable<T> task, long delay, TimeUnit unit) {
            if (getQueue().size() >= MOST_QUEUED) {
                throw new RejectedExecutionException("the queue is full");
            }
            return super.schedule(task, delay, unit);
        }
    }
}
