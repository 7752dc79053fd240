package dev.plumbline.target;

import dev.plumbline.engine.Engine;
import dev.plumbline.engine.FinishReason;
import dev.plumbline.engine.Generation;
import dev.plumbline.engine.GenerationListener;
import dev.plumbline.engine.GenerationRequest;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/** A generation as a stream. The step loop only enqueues; a cancelled stream cancels the generation. */
final class EngineFlux {
    /** What the engine reports. */
    sealed interface Event {}

    /** The engine has accepted the generation. */
    record Queued() implements Event {}

    /** A token was sampled. */
    record Token(int id) implements Event {}

    /** The generation ended. */
    record Ended(FinishReason reason) implements Event {}

    private EngineFlux() {}

    /**
     * Submits on subscription. Errors: {@link InvalidPromptException}, {@link EngineStoppedException}, what else
     * {@link Engine#submit} throws, and what {@link GenerationListener#onFailed} reports.
     */
    static Flux<Event> of(Engine engine, GenerationRequest request) {
        // Buffered without bound: an answer's token limit bounds it, and the step loop must never wait for a reader.
        return Flux.create(
                sink -> {
                    Generation generation = submit(engine, request, sink);
                    // The first tokens may have overtaken it; nothing at all precedes a refusal.
                    sink.next(new Queued());
                    sink.onDispose(generation::cancel);
                },
                FluxSink.OverflowStrategy.BUFFER);
    }

    private static Generation submit(Engine engine, GenerationRequest request, FluxSink<Event> sink) {
        GenerationListener listener = new GenerationListener() {
            @Override
            public void onToken(int token) {
                sink.next(new Token(token));
            }

            @Override
            public void onFinished(FinishReason reason) {
                sink.next(new Ended(reason));
                sink.complete();
            }

            @Override
            public void onFailed(RuntimeException failure) {
                sink.error(failure);
            }
        };
        try {
            return engine.submit(request, listener);
        } catch (IllegalArgumentException e) {
            throw new InvalidPromptException(e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw new EngineStoppedException(e);
        }
    }
}
