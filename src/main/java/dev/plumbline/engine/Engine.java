package dev.plumbline.engine;

/** A loaded model that generates tokens for many sequences in one step loop. Thread-safe. */
public interface Engine extends AutoCloseable {

    /** What is loaded and how full it is. */
    EngineStatus status();

    /** Whether the engine takes generations: false once it was closed or its step loop failed. */
    boolean running();

    /**
     * Queues a generation and returns at once.
     *
     * @param listener called on the step-loop thread; must not block
     * @throws ContextLengthException if prompt and at least one token do not fit the context
     * @throws QueueFullException if too many requests wait
     * @throws IllegalArgumentException if a token id or a sampling parameter is out of range
     * @throws IllegalStateException if the engine is closed
     */
    Generation submit(GenerationRequest request, GenerationListener listener);

    /** Ends every generation with an error, stops the loop and frees the backend. */
    @Override
    void close();
}
