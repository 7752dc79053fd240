package dev.plumbline.recall;

import dev.plumbline.engine.Engine;
import dev.plumbline.engine.FinishReason;
import dev.plumbline.engine.GenerationListener;
import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.trace.QueryTrace;
import dev.plumbline.trace.TraceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Asks an engine for its most probable answer and takes the times. Thread-safe. */
public final class Asker {
    private final Engine engine;
    private final Set<Integer> stopTokens;
    private final Supplier<LaneKey> lane;
    private final boolean background;

    /** {@code stopTokens} end an answer; without any, every answer runs to its token limit. */
    public Asker(Engine engine, Set<Integer> stopTokens) {
        this(engine, stopTokens, engine::active, false);
    }

    /** Asks one lane, whatever is active. */
    public Asker(Engine engine, Set<Integer> stopTokens, LaneKey lane) {
        this(engine, stopTokens, () -> lane, false);
    }

    private Asker(Engine engine, Set<Integer> stopTokens, Supplier<LaneKey> lane, boolean background) {
        this.engine = engine;
        this.stopTokens = stopTokens;
        this.lane = lane;
        this.background = background;
    }

    /** Asks the same behind whatever else the engine is asked. */
    Asker inBackground() {
        return new Asker(engine, stopTokens, lane, true);
    }

    /** Hands a prompt over; the future fails with what the engine fails with. */
    public CompletableFuture<Reply> submit(int[] prompt, int maxTokens) {
        return submit(prompt, maxTokens, null);
    }

    /** The same with a trace of the indexer's selections; null asks for none. */
    public CompletableFuture<Reply> submit(int[] prompt, int maxTokens, TraceRequest trace) {
        Recorder recorder = new Recorder(prompt.length, maxTokens);
        GenerationRequest request =
                new GenerationRequest(prompt, maxTokens, SamplingParameters.greedy(), stopTokens, 0).traced(trace);
        engine.submit(lane.get(), background ? request.inBackground() : request, recorder);
        return recorder.reply;
    }

    /** Waits for the answer. */
    public Reply ask(int[] prompt, int maxTokens) {
        try {
            return submit(prompt, maxTokens).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    /** Runs on the step loop's thread; the future hands the arrays over. */
    private static final class Recorder implements GenerationListener {
        private final CompletableFuture<Reply> reply = new CompletableFuture<>();
        private final int promptTokens;
        private final int[] tokens;
        private final long submitted = System.nanoTime();
        private final long[] tokenNanos;
        private final List<QueryTrace> selections = new ArrayList<>();
        private int count;

        Recorder(int promptTokens, int maxTokens) {
            this.promptTokens = promptTokens;
            this.tokens = new int[maxTokens];
            this.tokenNanos = new long[maxTokens];
        }

        @Override
        public void onToken(int token) {
            tokenNanos[count] = System.nanoTime();
            tokens[count] = token;
            count++;
        }

        @Override
        public void onSelection(List<QueryTrace> queries) {
            selections.addAll(queries);
        }

        @Override
        public void onFinished(FinishReason reason) {
            // Waiters continue on another thread than the step loop.
            Reply answer = new Reply(
                    promptTokens,
                    Arrays.copyOf(tokens, count),
                    reason,
                    submitted,
                    Arrays.copyOf(tokenNanos, count),
                    System.nanoTime(),
                    selections);
            reply.completeAsync(() -> answer);
        }

        @Override
        public void onFailed(RuntimeException failure) {
            reply.completeExceptionally(failure);
        }
    }
}
