package dev.plumbline.engine;

import java.util.concurrent.CompletableFuture;

/** A loaded model that generates tokens for many sequences of several lanes in one step loop. Thread-safe. */
public interface Engine extends AutoCloseable {

    /** What is loaded and how full it is. */
    EngineStatus status();

    /** Whether the engine takes generations: false once it was closed or its step loop failed. */
    boolean running();

    /** The lane that generations get which name none. */
    LaneKey active();

    /**
     * Opens a lane unless it is open, beside what runs, and keeps it open while the hold is. Concurrent wishes for one
     * lane build it once. With little memory left its pools hold fewer sequences than the engine's limit.
     */
    LaneHold hold(LaneKey lane);

    /**
     * Opens a lane with pools for the engine's full limit unless it is open, and makes it the one that new generations
     * get. Generations that exist keep their lane, which stays open for as long as it has some. If the lane cannot be
     * opened nothing changes.
     *
     * @return completes once new generations get the lane, never on the step loop's thread; fails with
     *     {@link LaneMemoryException}, {@link LaneSmokeException} or {@link LaneException}, or with what the profile is
     *     refused with, or with {@link IllegalStateException} if the engine is closed
     */
    CompletableFuture<LaneFacts> activate(LaneKey lane);

    /**
     * Queues a generation on the active lane and returns at once.
     *
     * @param listener called on the step-loop thread; must not block
     * @throws ContextLengthException if prompt and at least one token do not fit the context
     * @throws QueueFullException if too many requests wait
     * @throws IllegalArgumentException if a token id or a sampling parameter is out of range
     * @throws IllegalStateException if the engine is closed
     */
    default Generation submit(GenerationRequest request, GenerationListener listener) {
        return submit(active(), request, listener);
    }

    /**
     * The same on a lane of the caller's choice, which is opened if need be; the generation fails with what
     * {@link #activate} fails with if that is not possible.
     */
    Generation submit(LaneKey lane, GenerationRequest request, GenerationListener listener);

    /** Ends every generation with an error, stops the loop and frees the backend. */
    @Override
    void close();
}
