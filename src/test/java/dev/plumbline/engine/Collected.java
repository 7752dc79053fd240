package dev.plumbline.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Collects a generation. */
class Collected implements GenerationListener {
    private final List<Integer> tokens = new CopyOnWriteArrayList<>();
    private final CompletableFuture<FinishReason> end = new CompletableFuture<>();
    private final IntConsumer onToken;

    Collected() {
        this(token -> {});
    }

    Collected(IntConsumer onToken) {
        this.onToken = onToken;
    }

    List<Integer> tokens() {
        return List.copyOf(tokens);
    }

    /** Waits for the end; throws what the generation failed with. */
    FinishReason reason() throws Exception {
        return end.get(60, TimeUnit.SECONDS);
    }

    @Override
    public void onToken(int token) {
        tokens.add(token);
        onToken.accept(token);
    }

    @Override
    public void onFinished(FinishReason reason) {
        end.complete(reason);
    }

    @Override
    public void onFailed(RuntimeException failure) {
        end.completeExceptionally(failure);
    }
}
