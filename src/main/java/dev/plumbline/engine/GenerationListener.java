package dev.plumbline.engine;

import dev.plumbline.trace.QueryTrace;
import java.util.List;

/** Receives a generation's events in order, on the step-loop thread; exactly one of onFinished/onFailed comes last. */
public interface GenerationListener {

    /**
     * The generation has its place among those that are computed.
     *
     * @param cachedTokens prompt tokens that need not be computed, because a prompt with the same beginning was before
     */
    default void onAdmitted(int cachedTokens) {}

    /** A token was sampled; a stop token is not reported. */
    void onToken(int token);

    /** The same for a request that asked for log-probabilities. */
    default void onToken(int token, TokenLogProbabilities logProbabilities) {
        onToken(token);
    }

    /**
     * What the step that has just run found for the queries that {@link GenerationRequest#trace} asks about, by position
     * and layer; comes before the step's token.
     */
    default void onSelection(List<QueryTrace> queries) {}

    /** The generation ended by a stop token, its length limit or a cancel. */
    void onFinished(FinishReason reason);

    /** The generation failed; nothing follows. */
    void onFailed(RuntimeException failure);
}
