package dev.plumbline.engine;

import dev.plumbline.engine.LaneStatus.State;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The lanes of one loaded model: opens them one after the other within their memory, knows the active one, and closes
 * those that nobody needs, the longest unused first. Used by the step loop's thread only.
 */
final class Lanes implements LaneBuild.Memory {
    private final Checkpoint checkpoint;
    private final Kernels kernels;
    private final EngineLimits limits;
    private final Duration idle;
    private final WeightStore store;
    private final Map<LaneKey, LaneHandle> current = new LinkedHashMap<>();
    /** Open lanes, also those in whose place a larger one of the same key came. */
    private final List<LaneHandle> open = new ArrayList<>();

    private final Deque<LaneHandle> wished = new ArrayDeque<>();
    private Runnable wakeLoop = () -> {};
    private long budget;
    private LaneBuild build;
    private LaneHandle active;

    Lanes(Checkpoint checkpoint, Kernels kernels, EngineLimits limits, LaneLimits memory) {
        this.checkpoint = checkpoint;
        this.kernels = kernels;
        this.limits = limits;
        this.idle = memory.idle();
        this.store = new WeightStore(kernels, checkpoint::tensor);
        this.budget = memory.memoryBytes();
    }

    /** Opens the first lane, which is active, with the test that every lane has; throws what it fails with. */
    void start(LaneKey key) {
        if (budget == LaneLimits.BY_MACHINE) {
            LanePlan plan = LanePlan.of(checkpoint.config(), key.profile(), kernels, checkpoint::tensor, limits);
            budget = Math.max(kernels.usableBytes(), plan.needed(store).total());
        }
        LaneHandle first = new LaneHandle(key, true);
        current.put(key, first);
        build = build(first);
        while (build != null) {
            build.awaitReady();
            advance();
        }
        if (first.failure() != null) {
            throw first.failure();
        }
        active = first;
    }

    private LaneBuild build(LaneHandle handle) {
        return new LaneBuild(handle, checkpoint, kernels, store, this, limits);
    }

    /** What to call, from any thread, when a lane has become ready to be built, or to be built on. */
    void onReady(Runnable wake) {
        wakeLoop = wake;
    }

    LaneHandle active() {
        return active;
    }

    /** From now on new generations get this open lane. */
    void activate(LaneHandle lane) {
        active = lane;
    }

    /** The lane of a key, which is opened if need be. */
    LaneHandle of(LaneKey key) {
        return current.computeIfAbsent(key, missing -> wish(new LaneHandle(key, false)));
    }

    /** The same with pools for the engine's limit, beside one that has smaller ones if need be. */
    LaneHandle full(LaneKey key) {
        LaneHandle known = of(key);
        boolean decided = build != null && build.handle() == known && build.sequences() < limits.maxSequences();
        if (!known.open() && !decided) {
            known.requireFull();
        }
        if (known.full() || known.open() && known.facts().maxSequences() == limits.maxSequences()) {
            return known;
        }
        return Stream.concat(wished.stream(), Stream.ofNullable(build).map(LaneBuild::handle))
                .filter(wish -> wish.key().equals(key) && wish.full())
                .findFirst()
                .orElseGet(() -> wish(new LaneHandle(key, true)));
    }

    private LaneHandle wish(LaneHandle handle) {
        CompletableFuture<LanePlan> preparation = Beside.run("plumbline-lane-plan", () -> {
            LanePlan plan =
                    LanePlan.of(checkpoint.config(), handle.key().profile(), kernels, checkpoint::tensor, limits);
            LaneRehearsal.run(checkpoint, handle.key(), kernels, limits);
            return plan;
        });
        handle.preparedBy(preparation);
        wished.add(handle);
        preparation.whenComplete((plan, failure) -> wakeLoop.run());
        return handle;
    }

    /** Whether there is a lane that can be built now. */
    boolean busy() {
        return build != null
                ? build.ready()
                : wished.stream().anyMatch(lane -> lane.preparation().isDone());
    }

    /** The longest wished for of those that are ready; if its kernels cannot be had it fails. */
    private void begin() {
        LaneHandle next = wished.stream()
                .filter(lane -> lane.preparation().isDone())
                .findFirst()
                .orElseThrow();
        wished.remove(next);
        build = build(next);
        if (next.preparation().isCompletedExceptionally()) {
            LaneBuild failed = build;
            build = null;
            Throwable reason =
                    next.preparation().handle((plan, failure) -> failure).join();
            abandon(failed, LaneBuild.failure(next.key(), reason));
        }
    }

    /** Builds on for about so long: at least a slice, if there is one. */
    void work(Duration most) {
        long start = System.nanoTime();
        while (busy()) {
            if (build == null) {
                begin();
            }
            if (build != null) {
                advance();
            }
            if (System.nanoTime() - start >= most.toNanos()) {
                return;
            }
        }
    }

    private void advance() {
        LaneBuild running = build;
        try {
            if (!running.advance()) {
                build = null;
                opened(running);
            }
        } catch (RuntimeException e) {
            build = null;
            abandon(running, e);
        }
    }

    private void opened(LaneBuild done) {
        LaneHandle handle = done.handle();
        open.add(handle);
        current.put(handle.key(), handle);
        handle.opened(done.built(), done.facts());
    }

    private void abandon(LaneBuild failed, RuntimeException reason) {
        current.remove(failed.handle().key(), failed.handle());
        try {
            failed.abandon();
        } finally {
            failed.handle().failed(reason);
        }
    }

    /**
     * Closes what nobody has needed for a while, and what a larger lane has replaced once nobody needs it; whether there
     * was any.
     */
    boolean closeIdle() {
        int before = open.size();
        long now = System.nanoTime();
        for (LaneHandle lane : List.copyOf(open)) {
            if (idle(lane) && (replaced(lane) || now - lane.idleSince() >= idle.toNanos())) {
                close(lane);
            }
        }
        return open.size() < before;
    }

    private boolean replaced(LaneHandle lane) {
        return current.get(lane.key()) != lane;
    }

    /** How long until {@link #closeIdle} has something to do if nothing happens; empty if never. */
    Optional<Duration> nextClose() {
        long now = System.nanoTime();
        return open.stream()
                .filter(this::idle)
                .map(lane -> idle.minusNanos(now - lane.idleSince()))
                .min(Comparator.naturalOrder());
    }

    private boolean idle(LaneHandle lane) {
        return lane != active && lane.unused();
    }

    private void close(LaneHandle lane) {
        open.remove(lane);
        current.remove(lane.key(), lane);
        lane.batch().close();
    }

    @Override
    public void goOn() {
        wakeLoop.run();
    }

    @Override
    public boolean makeRoom(long bytes) {
        List<LaneHandle> unused = open.stream()
                .filter(this::idle)
                .sorted(Comparator.comparingLong(LaneHandle::idleSince))
                .toList();
        long reclaimable = unused.stream().mapToLong(this::reclaimable).sum();
        if (bytes > budget - held() + reclaimable) {
            return false;
        }
        for (LaneHandle lane : unused) {
            if (bytes > budget - held()) {
                close(lane);
            }
        }
        return bytes <= budget - held();
    }

    @Override
    public LaneMemoryException refusal(LaneKey key, LaneBytes needed, int sequences) {
        List<LaneMemoryException.Use> uses = open.stream()
                .map(lane -> new LaneMemoryException.Use(
                        lane.key().label(), bytes(lane).total(), idle(lane) ? reclaimable(lane) : 0))
                .toList();
        return new LaneMemoryException(key, needed, sequences, limits.maxContext(), budget, uses);
    }

    private long held() {
        return store.bytes() + open.stream().mapToLong(Lanes::own).sum();
    }

    /** What is the lane's alone whatever becomes of others. */
    private static long own(LaneHandle lane) {
        return lane.facts().bytes().pools() + lane.facts().bytes().working();
    }

    private long reclaimable(LaneHandle lane) {
        return own(lane) + store.exclusive(lane.batch().lane().source());
    }

    private LaneBytes bytes(LaneHandle lane) {
        LaneBytes opened = lane.facts().bytes();
        return new LaneBytes(store.charged(lane.batch().lane().source()), opened.pools(), opened.working());
    }

    EngineStatus.Memory memory() {
        return new EngineStatus.Memory(budget, held(), store.bytes(), store.tensorReads());
    }

    /** The open lanes, the active one first. */
    List<LaneStatus> status() {
        return Stream.concat(Stream.of(active), open.stream().filter(lane -> lane != active))
                .map(this::status)
                .toList();
    }

    /** The lanes that are being opened, the one that is built first. */
    List<LaneProgress> opening() {
        return Stream.concat(
                        Stream.ofNullable(build).map(LaneBuild::progress),
                        wished.stream().map(lane -> new LaneProgress(lane.key(), 0)))
                .toList();
    }

    private LaneStatus status(LaneHandle lane) {
        State state = lane == active ? State.ACTIVE : lane.unused() ? State.IDLE : State.SERVING;
        return new LaneStatus(
                lane.key(),
                state,
                lane.facts().flags(),
                lane.batch().lane().variants(),
                lane.facts().maxSequences(),
                lane.running(),
                lane.waiting(),
                bytes(lane),
                lane.batch().lane().status());
    }

    /** Fails what is wished for and frees everything. */
    void end(RuntimeException reason) {
        if (build != null) {
            LaneBuild running = build;
            build = null;
            abandon(running, reason);
        }
        wished.forEach(lane -> lane.failed(reason));
        wished.clear();
        List<SubBatch> all = open.stream().map(LaneHandle::batch).toList();
        open.clear();
        current.clear();
        Resources.closeAll(all);
    }
}
