package dev.plumbline.recall.run;

import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.recall.CellExecutor;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.suite.SuiteCell;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the cells of one run that this server can claim, until there are none, on a thread of its own. */
final class RunDriver {
    private static final Logger LOG = LoggerFactory.getLogger(RunDriver.class);
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final int MOST_CLAIMED = 64;
    private static final long DATABASE_MILLIS = 1000;

    private final RunWork work;
    private final StoredRun run;
    private final List<SuiteCell> plan;
    private final OpenTarget target;
    private final CellExecutor executor;
    private final RunMetrics metrics;
    private final Feed feed = new Feed();
    private final BlockingQueue<Result> answered = new LinkedBlockingQueue<>();
    /** Results that could not be committed yet. */
    private final Deque<Result> uncommitted = new ArrayDeque<>();

    private long looked;
    private boolean exhausted;

    RunDriver(
            RunWork work,
            StoredRun run,
            List<SuiteCell> plan,
            OpenTarget target,
            CellExecutor executor,
            RunMetrics metrics) {
        this.work = work;
        this.run = run;
        this.plan = plan;
        this.target = target;
        this.executor = executor;
        this.metrics = metrics;
    }

    private record Result(int ordinal, CellRecord record) {}

    /**
     * Works; returns when nothing is left to claim, the run has ended, or it was stopped. What is claimed then and has no
     * result is free again.
     */
    void drive(BooleanSupplier stopped) throws InterruptedException {
        try {
            while (!stopped.getAsBoolean() && goesOn()) {
                fill();
                Result next = answered.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                if (next != null) {
                    take(next);
                }
                commit();
            }
        } finally {
            release();
        }
    }

    private boolean goesOn() throws InterruptedException {
        if (!target.alive()) {
            return false;
        }
        if (exhausted && feed.empty() && uncommitted.isEmpty()) {
            return false;
        }
        long now = System.nanoTime();
        if (now - looked > LOOK.toNanos()) {
            looked = now;
            return withDatabase(() -> work.wanted(run.id()), true);
        }
        return true;
    }

    private void fill() throws InterruptedException {
        int room = target.room(feed.asked());
        while (room > 0) {
            if (!feed.ready()) {
                List<Integer> claimed = withDatabase(() -> work.claim(run.id(), plan, MOST_CLAIMED), null);
                if (claimed == null) {
                    return;
                }
                exhausted = claimed.isEmpty();
                if (exhausted) {
                    return;
                }
                feed.add(claimed);
            }
            ask(feed.next());
            room--;
        }
    }

    private void ask(int ordinal) {
        SuiteCell cell = plan.get(ordinal);
        executor.run(cell)
                .whenComplete((record, failure) -> answered.add(new Result(
                        ordinal,
                        failure == null ? record : CellRecord.error(cell, "", List.of(), String.valueOf(failure)))));
    }

    private void take(Result result) {
        feed.answered(result.ordinal());
        uncommitted.add(result);
    }

    private void commit() throws InterruptedException {
        // What an engine says that is going down is no result.
        while (!uncommitted.isEmpty() && target.alive()) {
            Result result = uncommitted.peek();
            RunWork.Commit commit = withDatabase(() -> work.commit(run.id(), result.ordinal(), result.record()), null);
            if (commit == null) {
                return;
            }
            uncommitted.remove();
            if (commit == RunWork.Commit.STORED) {
                metrics.asked(result.record().state());
            }
        }
    }

    /** Work that can be done again; {@code instead} while the database does not answer. */
    private <T> T withDatabase(Supplier<T> doing, T instead) throws InterruptedException {
        try {
            return doing.get();
        } catch (DatabaseUnavailableException e) {
            LOG.debug("A run waits for the database", e);
            TimeUnit.MILLISECONDS.sleep(DATABASE_MILLIS);
            return instead;
        }
    }

    private void release() {
        try {
            work.release(run.id());
        } catch (RuntimeException e) {
            // They are found by the time at which this server was last seen.
            LOG.debug("Claimed cells could not be given back", e);
        }
    }
}
