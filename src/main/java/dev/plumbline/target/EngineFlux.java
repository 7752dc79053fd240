package dev.plumbline.target;

import dev.plumbline.engine.Engine;
import dev.plumbline.engine.FinishReason;
import dev.plumbline.engine.Generation;
import dev.plumbline.engine.GenerationListener;
import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.TokenLogProbabilities;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/** The generations of one prompt as a stream. The step loop only enqueues; a cancelled stream cancels them all. */
final class EngineFlux {
    /** What the engine reports of one choice. */
    sealed interface Event {
        int choice();
    }

    /** The engine has accepted the generation. */
    record Queued(int choice, Generation generation) implements Event {}

    /** A token was sampled; {@code logProbabilities} null if they were not asked for. */
    record Token(int choice, int id, TokenLogProbabilities logProbabilities) implements Event {}

    /** The generation ended. */
    record Ended(int choice, FinishReason reason) implements Event {}

    private EngineFlux() {}

    /**
     * Submits on subscription and completes when all have ended; the failure of one ends all. Errors:
     * {@link InvalidPromptException}, {@link EngineStoppedException}, what else {@link Engine#submit} throws, and what
     * {@link GenerationListener#onFailed} reports.
     */
    static Flux<Event> of(Engine engine, List<GenerationRequest> requests) {
        // Buffered without bound: an answer's token limit bounds it, and the step loop must never wait for a reader.
        return Flux.create(sink -> submitAll(engine, requests, sink), FluxSink.OverflowStrategy.BUFFER);
    }

    private static void submitAll(Engine engine, List<GenerationRequest> requests, FluxSink<Event> sink) {
        List<Generation> submitted = new ArrayList<>();
        AtomicInteger open = new AtomicInteger(requests.size());
        try {
            for (GenerationRequest request : requests) {
                submitted.add(submit(engine, request, new Listener(request.choice(), open, sink)));
            }
        } catch (RuntimeException refused) {
            open.set(0);
            submitted.forEach(Generation::cancel);
            throw refused;
        }
        // The first tokens may have overtaken these; nothing at all precedes a refusal of the first.
        for (int i = 0; i < submitted.size(); i++) {
            sink.next(new Queued(requests.get(i).choice(), submitted.get(i)));
        }
        sink.onDispose(() -> submitted.forEach(Generation::cancel));
    }

    private static Generation submit(Engine engine, GenerationRequest request, GenerationListener listener) {
        try {
            return engine.submit(request, listener);
        } catch (IllegalArgumentException e) {
            throw new InvalidPromptException(e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw new EngineStoppedException(e);
        }
    }

    private record Listener(int choice, AtomicInteger open, FluxSink<Event> sink) implements GenerationListener {
        @Override
        public void onToken(int token) {
            onToken(token, null);
        }

        @Override
        public void onToken(int token, TokenLogProbabilities logProbabilities) {
            sink.next(new Token(choice, token, logProbabilities));
        }

        @Override
        public void onFinished(FinishReason reason) {
            sink.next(new Ended(choice, reason));
            if (open.decrementAndGet() == 0) {
                sink.complete();
            }
        }

        @Override
        public void onFailed(RuntimeException failure) {
            // Whoever is first speaks for all; nobody hears a second error.
            if (open.getAndSet(0) > 0 && !sink.isCancelled()) {
                sink.error(failure);
            }
        }
    }
}
