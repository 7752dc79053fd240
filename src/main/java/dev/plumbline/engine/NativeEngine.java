package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Variant;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The {@link Engine} over a backend: owns the kernels, one lane and the thread of its step loop.
 *
 * <p>Everything that other threads touch is guarded by the monitor of {@code arrivals}; the loop takes arrivals between
 * steps and publishes a snapshot after each.
 */
public final class NativeEngine implements Engine {
    private static final System.Logger LOG = System.getLogger(NativeEngine.class.getName());

    private final Kernels kernels;
    private final EngineLimits limits;
    private final Lane lane;
    private final StepLoop loop;
    private final Thread thread;
    private final Queue<Sequence> arrivals = new ArrayDeque<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private boolean awake;
    private boolean closed;
    private RuntimeException failure;
    private List<String> variants = List.of();
    private volatile EngineStatus status;

    private NativeEngine(Kernels kernels, EngineLimits limits, Lane lane) {
        this.kernels = kernels;
        this.limits = limits;
        this.lane = lane;
        this.loop = new StepLoop(lane, limits.maxSequences());
        this.status = snapshot(0);
        this.thread = new Thread(this::run, "plumbline-step-loop");
        thread.setDaemon(true);
    }

    /**
     * Loads a model onto a backend and starts its step loop. The engine owns {@code kernels} from here on, also when
     * loading fails; the checkpoint may be closed afterwards.
     *
     * @throws IllegalArgumentException if the limits exceed what the model allows
     */
    public static NativeEngine load(
            Checkpoint checkpoint, PrecisionProfile profile, Kernels kernels, EngineLimits limits) {
        ModelConfig config = checkpoint.config();
        boolean started = false;
        try {
            if (limits.maxContext() > config.maxPositions()) {
                throw new IllegalArgumentException("max_context is " + limits.maxContext()
                        + "; allowed: 2 to the model's max_position_embeddings, " + config.maxPositions());
            }
            int rows = Math.addExact(limits.maxSequences(), profile.prefillChunk());
            Lane lane = new Lane(checkpoint, profile, kernels, limits, rows, limits.maxSequences());
            NativeEngine engine = start(kernels, limits, lane);
            started = true;
            return engine;
        } finally {
            if (!started) {
                kernels.close();
            }
        }
    }

    private static NativeEngine start(Kernels kernels, EngineLimits limits, Lane lane) {
        boolean started = false;
        try {
            NativeEngine engine = new NativeEngine(kernels, limits, lane);
            engine.thread.start();
            started = true;
            return engine;
        } finally {
            if (!started) {
                lane.close();
            }
        }
    }

    @Override
    public EngineStatus status() {
        return status;
    }

    @Override
    public boolean running() {
        synchronized (arrivals) {
            return !closed;
        }
    }

    @Override
    public Generation submit(GenerationRequest request, GenerationListener listener) {
        int room = room(request);
        Sequence sequence = new Sequence(
                request,
                new AdmittedListener(listener, inFlight),
                Math.min(request.maxTokens(), room),
                SequenceTrace.of(request, lane.config),
                this::wake);
        synchronized (arrivals) {
            if (closed) {
                throw failure != null ? failure : new IllegalStateException("the engine is closed");
            }
            if (inFlight.get() >= limits.maxSequences() + limits.maxWaiting()) {
                throw new QueueFullException(limits.maxWaiting());
            }
            inFlight.incrementAndGet();
            arrivals.add(sequence);
            awake = true;
            arrivals.notifyAll();
        }
        return sequence;
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
        int vocabulary = lane.config.vocabSize();
        if (token < 0 || token >= vocabulary) {
            throw new IllegalArgumentException(field + " is token " + token + "; allowed: 0 to " + (vocabulary - 1));
        }
    }

    private void wake() {
        synchronized (arrivals) {
            awake = true;
            arrivals.notifyAll();
        }
    }

    private void run() {
        RuntimeException reason = new IllegalStateException("the engine is closed");
        try {
            while (takeArrivals()) {
                loop.step();
                status = snapshot(loop.waiting());
            }
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "the step loop failed; the engine is closed", e);
            reason = new IllegalStateException("the step loop failed: " + e, e);
        } finally {
            end(reason);
        }
    }

    /** Refuses what comes, fails what is here and frees the backend. */
    private void end(RuntimeException reason) {
        synchronized (arrivals) {
            closed = true;
            failure = reason;
            while (!arrivals.isEmpty()) {
                loop.enqueue(arrivals.remove());
            }
        }
        try {
            loop.failAll(reason);
        } finally {
            Resources.closeAll(List.of(loop, kernels));
        }
    }

    /** Moves arrivals into the loop, waiting while there is nothing to do; false once closed. */
    private boolean takeArrivals() {
        synchronized (arrivals) {
            while (!closed && arrivals.isEmpty() && !awake && loop.idle()) {
                try {
                    arrivals.wait();
                } catch (InterruptedException e) {
                    closed = true;
                }
            }
            awake = false;
            while (!arrivals.isEmpty()) {
                loop.enqueue(arrivals.remove());
            }
            return !closed;
        }
    }

    private EngineStatus snapshot(int waiting) {
        if (variants.size() != lane.forward.variants().size()) {
            variants =
                    lane.forward.variants().stream().map(Variant::id).sorted().toList();
        }
        return new EngineStatus(
                lane.config,
                lane.profile,
                kernels.backend(),
                kernels.description(),
                variants,
                limits.maxContext(),
                limits.maxSequences(),
                loop.running(),
                waiting,
                lane.pools.status());
    }

    @Override
    public void close() {
        synchronized (arrivals) {
            closed = true;
            arrivals.notifyAll();
        }
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
