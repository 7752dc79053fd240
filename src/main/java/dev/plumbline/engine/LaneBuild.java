package dev.plumbline.engine;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Builds one lane in slices, so that steps of other lanes come in between: first its needs are held against the memory,
 * then its missing weights are brought and its pools and buffers allocated, a tensor a slice, then it is put together, then
 * comes the smoke test.
 */
final class LaneBuild {

    /** The memory of all lanes. */
    interface Memory {
        /** Whether so many bytes are free, after closing as many idle lanes as it takes. */
        boolean makeRoom(long bytes);

        /** From any thread: a build that waited can go on. */
        void goOn();

        /** Why not. */
        LaneMemoryException refusal(LaneKey key, LaneBytes needed, int sequences);
    }

    private final LaneHandle handle;
    private final Checkpoint checkpoint;
    private final Kernels kernels;
    private final WeightStore store;
    private final Memory memory;
    private final Weights weights;
    private final PreparedMemory pieces = new PreparedMemory();
    private final Deque<Runnable> slices = new ArrayDeque<>();
    private final long readsBefore;
    private CompletableFuture<Void> touching = CompletableFuture.completedFuture(null);
    private EngineLimits limits;
    private LanePlan plan;
    private SubBatch built;
    private LaneSmoke smoke;
    private int done;
    private int smokeLeft;

    LaneBuild(
            LaneHandle handle,
            Checkpoint checkpoint,
            Kernels kernels,
            WeightStore store,
            Memory memory,
            EngineLimits limits) {
        this.handle = handle;
        this.checkpoint = checkpoint;
        this.kernels = kernels;
        this.store = store;
        this.memory = memory;
        this.limits = limits;
        this.weights = store.forLane();
        this.readsBefore = store.tensorReads();
        slices.add(this::plan);
    }

    LaneHandle handle() {
        return handle;
    }

    /** Sequences that its pools hold; until the first slice has run, those that are wished for. */
    int sequences() {
        return limits.maxSequences();
    }

    /** How far it is. */
    LaneProgress progress() {
        int left = plan == null ? Integer.MAX_VALUE / 200 : slices.size() + smokeLeft;
        return new LaneProgress(handle.key(), Math.min(99, 100 * done / (done + left)));
    }

    /** Whether there is something to do; if not, {@link Memory#goOn} will be called. */
    boolean ready() {
        return touching.isDone();
    }

    void awaitReady() {
        touching.handle((done, failure) -> null).join();
    }

    /**
     * Runs the next slice; whether there are more.
     *
     * @throws RuntimeException if the lane cannot be had; {@link #abandon} must follow
     */
    boolean advance() {
        try {
            slices.remove().run();
            done++;
            return !slices.isEmpty();
        } catch (KernelException | OutOfMemoryError e) {
            throw failure(handle.key(), e);
        }
    }

    /** What a lane fails with: a backend's failure names the lane. */
    static RuntimeException failure(LaneKey key, Throwable reason) {
        return reason instanceof RuntimeException own && !(own instanceof KernelException)
                ? own
                : new LaneException(key, "could not be built: " + reason.getMessage(), reason);
    }

    private void plan() {
        // A plan takes as long as many steps; the one that was made beforehand is for the full number.
        LanePlan prepared = handle.preparation().join();
        for (int n = limits.maxSequences(); !fits(n, prepared); n /= 2) {
            prepared = null;
            if (handle.full() || n == 1) {
                throw memory.refusal(handle.key(), plan.needed(store), n);
            }
        }
        for (WeightPlan.Part<?> part : plan.missing(store)) {
            slices.add(() -> part.take(weights));
        }
        for (MeasuringKernels.Allocation allocation : plan.memory()) {
            slices.add(() -> pieces.add(allocation, kernels));
        }
        slices.add(this::touch);
        slices.add(this::assemble);
        smokeLeft = LaneSmoke.steps(limits.maxContext(), handle.key().profile().prefillChunk());
    }

    private boolean fits(int sequences, LanePlan prepared) {
        limits = new EngineLimits(limits.maxContext(), sequences, limits.maxWaiting());
        plan = prepared != null
                ? prepared
                : LanePlan.of(checkpoint.config(), handle.key().profile(), kernels, checkpoint::tensor, limits);
        plan.reserve(store, weights);
        return memory.makeRoom(plan.needed(store).total());
    }

    private void touch() {
        touching = pieces.touch(kernels);
        touching.whenComplete((done, failure) -> memory.goOn());
    }

    private void assemble() {
        touching.join();
        built = LanePlan.assemble(
                checkpoint.config(), handle.key().profile(), kernels, pieces.kernels(), weights, limits);
        smoke = new LaneSmoke(handle.key(), built.lane());
        slices.add(this::smoke);
    }

    private void smoke() {
        smokeLeft--;
        if (smoke.advance()) {
            slices.add(this::smoke);
        } else {
            smoke.end();
            requireAsAsked();
        }
    }

    /** A lane that is not what was asked for is not served in its place. */
    private void requireAsAsked() {
        Map<String, String> found = built.lane().flags();
        handle.key().profile().flags().forEach((flag, asked) -> {
            if (!asked.equals(found.get(flag))) {
                throw new LaneSmokeException(
                        handle.key(), flag + " was asked for as " + asked + " and is " + found.get(flag));
            }
        });
    }

    /** The lane, after the last slice. */
    SubBatch built() {
        return built;
    }

    /** What building it found. */
    LaneFacts facts() {
        return new LaneFacts(
                handle.key(),
                Duration.ofNanos(System.nanoTime() - handle.wished()),
                built.lane().flags(),
                built.lane().variants(),
                kernels.code(),
                new LaneBytes(store.charged(weights), plan.poolBytes(), plan.workingBytes()),
                limits.maxSequences(),
                store.tensorReads() - readsBefore);
    }

    /** Frees what was built so far. */
    void abandon() {
        slices.clear();
        awaitReady();
        Resources.closeAll(List.of(pieces, built == null ? weights : built));
    }
}
