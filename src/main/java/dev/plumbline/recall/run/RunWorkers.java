package dev.plumbline.recall.run;

import dev.plumbline.database.SecretException;
import dev.plumbline.engine.LaneException;
import dev.plumbline.precision.ProfileException;
import dev.plumbline.recall.CellExecutor;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.remote.TargetException;
import dev.plumbline.recall.remote.UnknownTargetException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

/**
 * Takes part in the runs of the database: one of the engine and a few of servers elsewhere at a
 * time, the oldest that have cells to claim. Looks for such
 * runs whenever the database says that some run has changed, and says all the while that this server is there.
 */
@Component
final class RunWorkers implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(RunWorkers.class);
    private static final long PERIOD_MILLIS = 250;
    private static final int MOST_REMOTE = 4;
    private static final int BEATS_OF_LEASE = 4;
    private static final long END_SECONDS = 5;

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** What could not be asked here may become possible. */
    private static final Duration RETRY = Duration.ofSeconds(10);

    private final RunWork work;
    private final Plans plans;
    private final TargetOpener targets;
    private final RunMetrics metrics;
    private final RunNotices notices;
    private final UnservedRuns unserved;
    private final ScheduledExecutorService watch;
    private final ExecutorService threads;
    /** Runs that this server takes part in, and whether the engine answers. */
    private final Map<UUID, Boolean> taken = new ConcurrentHashMap<>();

    private final Map<UUID, Instant> notBefore = new ConcurrentHashMap<>();
    private boolean arrived;
    private long beaten;
    private long looked;
    private long lastHeard = -1;
    private volatile boolean stopped;
    private volatile boolean running;

    RunWorkers(
            RunWork work,
            Plans plans,
            TargetOpener targets,
            RunMetrics metrics,
            RunNotices notices,
            UnservedRuns unserved) {
        this.work = work;
        this.plans = plans;
        this.targets = targets;
        this.metrics = metrics;
        this.notices = notices;
        this.unserved = unserved;
        this.watch = Executors.newSingleThreadScheduledExecutor(factory("recall-watch-"));
        this.threads = Executors.newCachedThreadPool(factory("recall-run-"));
    }

    private static CustomizableThreadFactory factory(String name) {
        CustomizableThreadFactory factory = new CustomizableThreadFactory(name);
        factory.setDaemon(true);
        return factory;
    }

    private void look() {
        if (stopped || !work.possible()) {
            return;
        }
        try {
            beat();
            String model = targets.model().orElse(null);
            // Until the model is there nobody knows whether prompts for others are to be measured in its tokens.
            if (model != null && changed()) {
                work.claimable(model).stream().filter(this::suits).forEach(this::take);
            }
        } catch (RuntimeException e) {
            LOG.debug("Runs could not be looked for", e);
        }
    }

    /** Whether there may be something new; a notice may get lost with its connection. */
    private boolean changed() {
        long heard = notices.heard();
        long now = System.nanoTime();
        if (heard == lastHeard && now - looked < LOOK_AGAIN.toNanos()) {
            return false;
        }
        lastHeard = heard;
        looked = now;
        return true;
    }

    private void beat() {
        long now = System.nanoTime();
        if (!arrived) {
            work.arrive(targets.model().orElse(null));
            arrived = true;
            beaten = now;
        } else if (now - beaten > work.lease().toNanos() / BEATS_OF_LEASE) {
            work.touch(targets.model().orElse(null));
            work.releaseLost();
            unserved.look(work.lease());
            beaten = now;
        }
    }

    private boolean suits(RunTable.Claimable run) {
        Instant retry = notBefore.get(run.id());
        return !taken.containsKey(run.id())
                && taken.values().stream()
                                .filter(here -> here == run.isNative())
                                .count()
                        < (run.isNative() ? 1 : MOST_REMOTE)
                && (retry == null || Instant.now().isAfter(retry));
    }

    private void take(RunTable.Claimable run) {
        taken.put(run.id(), run.isNative());
        metrics.begun();
        threads.execute(() -> {
            try {
                StoredRun found = work.find(run.id()).orElse(null);
                if (found != null) {
                    drive(found);
                }
                notBefore.remove(run.id());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                failed(run.id(), e);
            } finally {
                metrics.ended();
                taken.remove(run.id());
            }
        });
    }

    private void drive(StoredRun run) throws InterruptedException {
        OpenTarget target = targets.open(run, () -> stopped).orElse(null);
        if (target == null) {
            return;
        }
        StoredRun begun = null;
        try (target) {
            begun = work.begin(run.id(), target.cells()).orElse(null);
            if (begun == null || begun.measure().equals(target.cells().measure())) {
                ask(begun, target);
                return;
            }
        }
        // Another server was first, and has measured otherwise: prompts must be those that it asks.
        try (OpenTarget again = targets.open(begun, () -> stopped).orElse(null)) {
            ask(begun, again);
        }
    }

    private void ask(StoredRun run, OpenTarget target) throws InterruptedException {
        if (run == null || target == null) {
            return;
        }
        CellExecutor executor = new CellExecutor(
                PromptBuilders.of(
                        target.cells().codec(), work.haystack(run.id()).orElse(null)),
                Scorer.containing(),
                target.cells());
        LOG.info("Cells of run {} are asked: {} under {}", run.id(), run.suite().label(), run.configLabel());
        new RunDriver(work, run, plans.of(run), target, executor, metrics).drive(() -> stopped);
    }

    /** A run that no server can ask would wait for ever; another server may have room for a lane, or a key. */
    private void failed(UUID run, RuntimeException reason) {
        if (stopped) {
            // What ends with this server says nothing of the run; another one will ask it.
            LOG.debug("Cells of run {} were not asked to the end", run, reason);
            return;
        }
        notBefore.put(run, Instant.now().plus(RETRY));
        LOG.warn("Cells of run {} could not be asked: {}", run, reason.toString());
        if (lasting(reason)) {
            try {
                work.fail(run, reason.getMessage(), everywhere(reason));
            } catch (RuntimeException e) {
                LOG.debug("A failed run could not be stored", e);
            }
        }
    }

    private static boolean lasting(RuntimeException reason) {
        return reason instanceof TargetException
                || reason instanceof UnknownTargetException
                || reason instanceof LaneException
                || reason instanceof ProfileException
                || reason instanceof SecretException
                || reason instanceof OtherPlanException;
    }

    /** Whether every other server would meet the same; what a server hosts or is allowed is its own. */
    static boolean everywhere(RuntimeException reason) {
        return reason instanceof UnknownTargetException
                || reason instanceof TargetException target && target.code().equals(TargetException.BUDGET_MISMATCH);
    }

    @Override
    public void start() {
        running = true;
        watch.scheduleWithFixedDelay(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** What is being asked is given back, so that another server can go on at once. */
    @Override
    public void stop() {
        stopped = true;
        watch.shutdownNow();
        threads.shutdown();
        try {
            threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
            // Whoever says that this server is there has done so for the last time.
            watch.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
            work.leave();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.debug("The end of this server could not be noted", e);
        }
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
