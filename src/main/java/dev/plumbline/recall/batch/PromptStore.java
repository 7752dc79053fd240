package dev.plumbline.recall.batch;

import dev.plumbline.recall.PromptLengthException;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.SuitePrompts;
import dev.plumbline.recall.suite.SuiteCell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Prompts of cells that several runs ask: built once, ahead of their use, by threads of its own. What does not fit its memory is
 * built every time it is asked for.
 */
public final class PromptStore implements SuitePrompts, AutoCloseable {
    /** Some 130 MB: four bytes of a token, about four characters of text. */
    private static final long MOST_TOKENS = 16L << 20;

    private final Supplier<SuitePrompts> builders;
    private final ThreadLocal<SuitePrompts> builder;
    private final ExecutorService threads;
    private final Map<String, CompletableFuture<SuitePrompt>> kept = new ConcurrentHashMap<>();
    private long tokens;

    /**
     * An empty store.
     *
     * @param builders make a builder for one thread; all of them must build the same
     * @param threads how many build at once
     */
    public PromptStore(Supplier<SuitePrompts> builders, int threads) {
        this.builders = builders;
        this.builder = ThreadLocal.withInitial(this.builders);
        this.threads = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "prompts");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Begins to build what is not there yet, in this order, as far as the memory reaches. Not thread-safe. */
    public void expect(List<SuiteCell> cells) {
        Map<String, List<SuiteCell>> texts = new LinkedHashMap<>();
        for (SuiteCell cell : cells) {
            if (!kept.containsKey(cell.id()) && tokens + cell.length() <= MOST_TOKENS) {
                tokens += cell.length();
                kept.put(cell.id(), new CompletableFuture<>());
                texts.computeIfAbsent(cell.textId(), id -> new ArrayList<>()).add(cell);
            }
        }
        // One thread for all questions about a text: what they share is built once.
        texts.values().forEach(some -> threads.execute(() -> some.forEach(this::prepare)));
    }

    private void prepare(SuiteCell cell) {
        CompletableFuture<SuitePrompt> prompt = kept.get(cell.id());
        try {
            prompt.complete(builder.get().build(cell));
        } catch (RuntimeException e) {
            prompt.completeExceptionally(e);
        }
    }

    @Override
    public SuitePrompt build(SuiteCell cell) {
        CompletableFuture<SuitePrompt> prompt = kept.get(cell.id());
        if (prompt == null) {
            return builder.get().build(cell);
        }
        try {
            // The cell, not only its id: another stratum may ask the same.
            SuitePrompt built = prompt.join();
            return new SuitePrompt(cell, built.turns(), built.tokens(), built.expected(), built.others());
        } catch (CompletionException e) {
            throw e.getCause() instanceof PromptLengthException refused ? refused : e;
        }
    }

    /** Builds no more; what is being waited for must have come. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
