package dev.plumbline.target;

import dev.plumbline.engine.Engine;
import dev.plumbline.engine.FinishReason;
import dev.plumbline.engine.Generation;
import dev.plumbline.engine.GenerationListener;
import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.engine.TokenLogProbabilities;
import dev.plumbline.trace.QueryTrace;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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

    /** The generation is computed from here on, behind so many tokens of its prompt that were known. */
    record Admitted(int choice, int cachedTokens) implements Event {}

    /** A token was sampled; {@code logProbabilities} null if they were not asked for. */
    record Token(int choice, int id, TokenLogProbabilities logProbabilities) implements Event {}

    /** What a step found for the queries that the trace asks about. */
    record Selection(int choice, List<QueryTrace> queries) implements Event {}

    /** The generation ended. */
    record Ended(int choice, FinishReason reason) implements Event {}

    private EngineFlux() {}

    /**
     * Submits on subscription and completes when all have ended; the failure of one ends all. Errors:
     * {@link InvalidPromptException}, {@link EngineStoppedException}, what else {@link Engine#submit} throws, and what
     * {@link GenerationListener#onFailed} reports; {@link SlowReaderException} comes after what was kept for its reader.
     */
    static Flux<Event> of(Engine engine, LaneKey lane, List<GenerationRequest> requests) {
        return Flux.defer(() -> {
            Backlog backlog = new Backlog();
            // The step loop must never wait for a reader, hence a buffer; the backlog bounds it.
            return Flux.<Event>create(
                            sink -> submitAll(engine, lane, requests, sink, backlog), FluxSink.OverflowStrategy.BUFFER)
                    .doOnNext(backlog::remove);
        });
    }

    private static void submitAll(
            Engine engine, LaneKey lane, List<GenerationRequest> requests, FluxSink<Event> sink, Backlog backlog) {
        List<Generation> submitted = new CopyOnWriteArrayList<>();
        AtomicInteger open = new AtomicInteger(requests.size());
        try {
            for (GenerationRequest request : requests) {
                Listener listener = new Listener(request.choice(), open, sink, backlog, submitted);
                submitted.add(submit(engine, lane, request, listener));
            }
        } catch (RuntimeException refused) {
            open.set(0);
            submitted.forEach(Generation::cancel);
            throw refused;
        }
        // The first tokens may have overtaken these; nothing at all precedes a refusal of the first.
        for (int i = 0; i < submitted.size(); i++) {
            Queued queued = new Queued(requests.get(i).choice(), submitted.get(i));
            backlog.add(queued);
            sink.next(queued);
        }
        sink.onDispose(() -> submitted.forEach(Generation::cancel));
    }

    private static Generation submit(
            Engine engine, LaneKey lane, GenerationRequest request, GenerationListener listener) {
        try {
            return engine.submit(lane, request, listener);
        } catch (IllegalArgumentException e) {
            throw new InvalidPromptException(e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw new EngineStoppedException(e);
        }
    }

    private record Listener(
            int choice, AtomicInteger open, FluxSink<Event> sink, Backlog backlog, List<Generation> submitted)
            implements GenerationListener {
        @Override
        public void onAdmitted(int cachedTokens) {
            if (cachedTokens > 0 && open.get() > 0) {
                Admitted event = new Admitted(choice, cachedTokens);
                backlog.add(event);
                sink.next(event);
            }
        }

        @Override
        public void onToken(int token) {
            onToken(token, null);
        }

        @Override
        public void onToken(int token, TokenLogProbabilities logProbabilities) {
            Token event = new Token(choice, token, logProbabilities);
            if (open.get() <= 0) {
                return;
            }
            if (backlog.add(event)) {
                sink.next(event);
            } else {
                onFailed(new SlowReaderException(backlog.behind()));
                // The sink would do it only once its reader has come to the error.
                submitted.forEach(Generation::cancel);
            }
        }

        @Override
        public void onSelection(List<QueryTrace> queries) {
            if (open.get() > 0) {
                Selection event = new Selection(choice, queries);
                // Its size was bounded before anything was computed.
                backlog.add(event);
                sink.next(event);
            }
        }

        @Override
        public void onFinished(FinishReason reason) {
            if (open.get() <= 0) {
                return;
            }
            Ended event = new Ended(choice, reason);
            backlog.add(event);
            sink.next(event);
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
