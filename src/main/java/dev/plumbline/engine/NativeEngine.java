package dev.plumbline.engine;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PrecisionProfile;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The {@link Engine} over a backend: owns the kernels, the lanes and the thread of the step loop, which alone touches
 * them. Other threads leave messages, which the loop takes between steps, and read the snapshot that it publishes.
 */
public final class NativeEngine implements Engine {
    private static final System.Logger LOG = System.getLogger(NativeEngine.class.getName());

    /** Least time between two steps for building a lane; else half of what a step takes. */
    private static final Duration LEAST_WORK = Duration.ofMillis(1);

    /** Longest time that a snapshot serves while steps run. */
    private static final Duration LONGEST_UNSEEN = Duration.ofMillis(10);

    private final ModelConfig config;
    private final Kernels kernels;
    private final EngineLimits limits;
    private final Lanes lanes;
    private final StepLoop loop;
    private final Thread thread;
    private final Inbox inbox = new Inbox();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inBackground = new AtomicInteger();
    private volatile EngineStatus status;
    /** When, by {@link System#nanoTime}; of the step loop's thread. */
    private long published;

    private NativeEngine(ModelConfig config, Kernels kernels, EngineLimits limits, Lanes lanes) {
        this.config = config;
        this.kernels = kernels;
        this.limits = limits;
        this.lanes = lanes;
        this.loop = new StepLoop(limits.maxSequences());
        this.status = snapshot();
        this.thread = new Thread(this::run, "plumbline-step-loop");
        thread.setDaemon(true);
        lanes.onReady(inbox::wake);
    }

    /**
     * Loads a model onto a backend, opens a first lane of that profile and starts the step loop. The engine owns
     * {@code kernels} from here on, also when loading fails. It reads the checkpoint again whenever a lane needs a weight
     * in a form that none has: whoever opens further lanes keeps it open until the engine is closed.
     *
     * @throws IllegalArgumentException if the limits exceed what the model allows
     */
    public static NativeEngine load(
            Checkpoint checkpoint, PrecisionProfile profile, Kernels kernels, EngineLimits limits) {
        return load(checkpoint, LaneKey.startup(profile), kernels, limits, LaneLimits.defaults());
    }

    /**
     * The same with a named first lane and limits for all lanes.
     *
     * @throws LaneMemoryException if the first lane does not fit into its limit
     */
    public static NativeEngine load(
            Checkpoint checkpoint, LaneKey first, Kernels kernels, EngineLimits limits, LaneLimits laneLimits) {
        ModelConfig config = checkpoint.config();
        Lanes lanes = new Lanes(checkpoint, kernels, limits, laneLimits);
        try {
            if (limits.maxContext() > config.maxPositions()) {
                throw new IllegalArgumentException("max_context is " + limits.maxContext()
                        + "; allowed: 2 to the model's max_position_embeddings, " + config.maxPositions());
            }
            lanes.start(first);
            NativeEngine engine = new NativeEngine(config, kernels, limits, lanes);
            engine.thread.start();
            return engine;
        } catch (RuntimeException | Error e) {
            lanes.end(new IllegalStateException("the engine is closed"));
            kernels.close();
            throw e;
        }
    }

    @Override
    public EngineStatus status() {
        return status;
    }

    @Override
    public boolean running() {
        return inbox.open();
    }

    @Override
    public LaneKey active() {
        return status.active();
    }

    @Override
    public LaneHold hold(LaneKey lane) {
        Hold hold = new Hold(lane, inbox);
        inbox.post(() -> hold.take(lanes.of(lane)));
        return hold;
    }

    @Override
    public CompletableFuture<LaneFacts> activate(LaneKey key) {
        CompletableFuture<LaneFacts> active = new CompletableFuture<>();
        inbox.post(() -> {
            LaneHandle lane = lanes.full(key);
            lane.onOpened((facts, failure) -> {
                if (failure == null) {
                    lanes.activate(lane);
                    status = snapshot();
                }
                Hold.complete(active, facts, failure);
            });
        });
        return active;
    }

    @Override
    public Generation submit(LaneKey lane, GenerationRequest request, GenerationListener listener) {
        int room = room(request);
        AtomicInteger places = request.background() ? inBackground : inFlight;
        Sequence sequence = new Sequence(
                lane,
                request,
                new AdmittedListener(listener, places),
                Math.min(request.maxTokens(), room),
                SequenceTrace.of(request, config),
                inbox::wake);
        if (places.incrementAndGet() > limits.maxSequences() + limits.maxWaiting()) {
            places.decrementAndGet();
            throw new QueueFullException(limits.maxWaiting());
        }
        try {
            inbox.post(() -> place(sequence));
        } catch (RuntimeException closed) {
            places.decrementAndGet();
            throw closed;
        }
        return sequence;
    }

    private void place(Sequence sequence) {
        sequence.placed(lanes.of(sequence.lane()));
        loop.enqueue(sequence);
    }

    /** Tokens the context leaves for an answer. */
    private int room(GenerationRequest request) {
        int[] prompt = request.prompt();
        if (prompt.length == 0) {
            throw new IllegalArgumentException("prompt is empty; allowed: at least one token");
        }
        for (int i = 0; i < prompt.length; i++) {
            requireToken("prompt[" + i + "]", prompt[i]);
        }
        request.sampling().logitBias().keySet().forEach(token -> requireToken("logit_bias", token));
        if (request.maxTokens() < 1) {
            throw new IllegalArgumentException("max_tokens is " + request.maxTokens() + "; allowed: at least 1");
        }
        int room = limits.maxContext() - prompt.length;
        if (room < 1) {
            throw new ContextLengthException(prompt.length, limits.maxContext());
        }
        return room;
    }

    private void requireToken(String field, int token) {
        int vocabulary = config.vocabSize();
        if (token < 0 || token >= vocabulary) {
            throw new IllegalArgumentException(field + " is token " + token + "; allowed: 0 to " + (vocabulary - 1));
        }
    }

    private void run() {
        RuntimeException reason = new IllegalStateException("the engine is closed");
        try {
            while (next()) {
                long start = System.nanoTime();
                loop.step();
                boolean building = lanes.busy();
                if (building) {
                    lanes.work(longer(LEAST_WORK, Duration.ofNanos((System.nanoTime() - start) / 2)));
                }
                boolean closed = lanes.closeIdle();
                publish(building || closed);
            }
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "the step loop failed; the engine is closed", e);
            reason = new IllegalStateException("the step loop failed: " + e, e);
        } finally {
            end(reason);
        }
    }

    /** Takes messages, after waiting for some while there is nothing to do; false once the engine is closed. */
    private boolean next() {
        boolean idle = (loop.idle() || loop.stalled()) && !lanes.busy();
        return inbox.drain(idle, idle ? lanes.nextClose() : Optional.empty());
    }

    /**
     * Tells what others may see. A snapshot costs about as much as a small kernel, so steps that only decode share one:
     * it is at most {@link #LONGEST_UNSEEN} old, and never older than the last change of what runs or waits.
     */
    private void publish(boolean changed) {
        long now = System.nanoTime();
        if (changed || loop.idle() || loop.takeChanged() || now - published >= LONGEST_UNSEEN.toNanos()) {
            published = now;
            status = snapshot();
        }
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
    }

    /** Refuses what comes, fails what is here and frees the backend. */
    private void end(RuntimeException reason) {
        Queue<Runnable> unread = inbox.close(reason);
        // One after the other, whatever becomes of each: somebody waits for all of it.
        Resources.closeAll(List.<AutoCloseable>of(
                () -> unread.forEach(Runnable::run), () -> loop.failAll(reason), () -> lanes.end(reason), kernels));
    }

    private EngineStatus snapshot() {
        List<LaneStatus> all = lanes.status();
        return new EngineStatus(
                config,
                lanes.active().key(),
                kernels.backend(),
                kernels.description(),
                all.get(0).variants(),
                limits.maxContext(),
                limits.maxSequences(),
                loop.running(),
                loop.waiting(),
                pools(all),
                all,
                lanes.opening(),
                lanes.memory());
    }

    private static List<PoolStatus> pools(List<LaneStatus> lanes) {
        Map<String, PoolStatus> sums = new LinkedHashMap<>();
        lanes.forEach(lane -> lane.pools().forEach(pool -> sums.merge(pool.name(), pool, PoolStatus::plus)));
        return List.copyOf(sums.values());
    }

    @Override
    public void close() {
        inbox.close();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
