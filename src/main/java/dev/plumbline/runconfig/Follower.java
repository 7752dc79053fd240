package dev.plumbline.runconfig;

import dev.plumbline.database.Database;
import dev.plumbline.engine.LaneFacts;
import dev.plumbline.runconfig.InstanceResult.Outcome;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetSlot;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;

/**
 * Serves what is active in the database: looks every second and whenever the database says that it has changed. All
 * switches of this server, its own activations too, happen on the one thread here.
 */
@Component
final class Follower implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final long PERIOD_MILLIS = 1000;

    /** What could not be served may become possible, for example when memory is free again. */
    private static final Duration RETRY = Duration.ofSeconds(10);

    private final Database database;
    private final TargetSlot slot;
    private final Serving serving;
    private final Pins pins;
    private final String instance = Instance.create();
    private final ScheduledExecutorService thread;
    private final AtomicBoolean looking = new AtomicBoolean();
    private Disposable notices;
    private UUID recorded;
    private UUID failed;
    private Instant retry = Instant.MIN;
    private volatile boolean running;

    Follower(Database database, TargetSlot slot, Serving serving, Pins pins) {
        this.database = database;
        this.slot = slot;
        this.serving = serving;
        this.pins = pins;
        CustomizableThreadFactory threads = new CustomizableThreadFactory("run-config-");
        threads.setDaemon(true);
        this.thread = Executors.newSingleThreadScheduledExecutor(threads);
    }

    /** What this server is called in audits. */
    String instance() {
        return instance;
    }

    /** Does work between the switches of this server. */
    <T> CompletableFuture<T> between(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                result.complete(work.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Notes what this server made of an activation; a lost database must not undo it. */
    void record(UUID activation, InstanceResult result) {
        recorded = activation;
        try {
            database.now(client -> {
                ActivationTable.record(client, activation, result);
                return true;
            });
        } catch (RuntimeException e) {
            recorded = null;
            LOG.debug("What became of an activation could not be stored", e);
        }
    }

    private void wake() {
        if (looking.compareAndSet(false, true)) {
            try {
                thread.execute(() -> {
                    looking.set(false);
                    look();
                });
            } catch (RejectedExecutionException e) {
                LOG.debug("The server is ending", e);
            }
        }
    }

    private void look() {
        NativeTarget target = slot.target().orElse(null);
        if (target == null || !target.running() || !database.up()) {
            return;
        }
        try {
            UUID active = database.now(client -> {
                ActivationTable.sweep(client);
                return ActivationTable.activeId(client);
            });
            if (pins.config() != null) {
                pinned(active);
            } else if (!serves(active)) {
                follow(target, active);
            } else if (active != null && !active.equals(recorded)) {
                proveAgain(target, active);
            }
        } catch (RuntimeException e) {
            LOG.debug("Which run config is active could not be looked up", e);
        }
    }

    private boolean serves(UUID active) {
        return serving.trouble().isEmpty()
                && serving.served()
                        .map(served -> Objects.equals(served.activation(), active))
                        .orElse(false);
    }

    private void pinned(UUID active) {
        if (active != null && !active.equals(recorded)) {
            record(active, new InstanceResult(instance, Outcome.PINNED, null, null, 0, null));
        }
    }

    private void follow(NativeTarget target, UUID id) {
        if (Objects.equals(id, failed) && Instant.now().isBefore(retry)) {
            return;
        }
        ActiveConfig active = database.now(ActivationTable::active);
        long begun = System.nanoTime();
        try {
            Served next = Served.active(active, pins, target.status().config());
            LaneFacts facts = LaneSwitch.to(target, next.lane(), () -> {});
            serving.serve(next);
            failed = null;
            LOG.info("The run config {} is served", next.lane().label());
            proved(target, next, facts, millis(begun));
        } catch (RuntimeException e) {
            failed(active, e, millis(begun));
        }
    }

    private void failed(ActiveConfig active, RuntimeException reason, long millis) {
        String words = "The run config " + active.config().id() + " is active, but this server cannot serve it: "
                + reason.getMessage();
        if (!serving.trouble().equals(Optional.of(words))) {
            LOG.error("{}", words);
        }
        serving.refuse(words);
        failed = active.activation();
        retry = Instant.now().plus(RETRY);
        if (active.activation() != null) {
            record(
                    active.activation(),
                    new InstanceResult(instance, Outcome.FAILED, reason.getMessage(), null, millis, null));
        }
    }

    /** After a start, or when the first time could not be stored: the lane is there and tells what it found. */
    private void proveAgain(NativeTarget target, UUID active) {
        Served served = serving.served().orElseThrow();
        long begun = System.nanoTime();
        LaneFacts facts = LaneSwitch.to(target, served.lane(), () -> {});
        record(active, serving(Proof.of(target, served, facts), millis(begun)));
    }

    private void proved(NativeTarget target, Served served, LaneFacts facts, long millis) {
        if (served.activation() != null) {
            record(served.activation(), serving(Proof.of(target, served, facts), millis));
        }
    }

    /** A result of this server. */
    InstanceResult serving(String proof, long millis) {
        return new InstanceResult(instance, Outcome.SERVING, null, proof, millis, null);
    }

    static long millis(long begun) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }

    @Override
    public void start() {
        running = true;
        thread.scheduleWithFixedDelay(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        notices = database.listen(ActivationTable.CHANNEL, this::wake);
        slot.whenFilled(target -> wake());
    }

    @Override
    public void stop() {
        notices.dispose();
        thread.shutdownNow();
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
