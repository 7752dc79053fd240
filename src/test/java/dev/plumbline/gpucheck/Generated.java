package dev.plumbline.gpucheck;

import dev.plumbline.engine.FinishReason;
import dev.plumbline.engine.GenerationListener;
import dev.plumbline.engine.TokenLogProbabilities;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A generation: its tokens, and their log-probabilities where they were asked for. Read once {@link #end} is there. */
final class Generated implements GenerationListener {
    private final List<Integer> tokens = new ArrayList<>();
    private final List<TokenLogProbabilities> scores = new ArrayList<>();
    private final CompletableFuture<List<Integer>> end = new CompletableFuture<>();
    private int cached;

    /** The tokens, once there are all. */
    CompletableFuture<List<Integer>> end() {
        return end;
    }

    List<TokenLogProbabilities> scores() {
        return List.copyOf(scores);
    }

    /** Prompt tokens that were not computed again. */
    int cached() {
        return cached;
    }

    @Override
    public void onAdmitted(int cachedTokens) {
        cached = cachedTokens;
    }

    @Override
    public void onToken(int token) {
        tokens.add(token);
    }

    @Override
    public void onToken(int token, TokenLogProbabilities logProbabilities) {
        scores.add(logProbabilities);
        onToken(token);
    }

    @Override
    public void onFinished(FinishReason reason) {
        end.complete(List.copyOf(tokens));
    }

    @Override
    public void onFailed(RuntimeException failure) {
        end.completeExceptionally(failure);
    }
}
