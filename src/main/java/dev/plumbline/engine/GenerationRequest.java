package dev.plumbline.engine;

import dev.plumbline.trace.Stage;
import dev.plumbline.trace.TraceRequest;
import java.util.Set;

/**
 * What to generate.
 *
 * @param prompt token ids, at least one
 * @param maxTokens most tokens to sample, at least 1; generation also ends at the end of the context
 * @param sampling how to sample
 * @param stopTokens tokens that end the generation without being reported
 * @param choice index of this choice within its request; part of the sampling key
 * @param topLogProbabilities how many of the most probable tokens to report with each token, 0 to
 *     {@value #MAX_TOP_LOG_PROBABILITIES}; {@link #NO_LOG_PROBABILITIES} reports none, not even the sampled token's
 * @param trace what to report of the indexer's selections; null, which costs nothing, reports nothing
 * @param background whether it stands behind all others: it takes none of their places in the queue, is begun when none of
 *     them can be, and its prompt is computed after theirs
 */
public record GenerationRequest(
        int[] prompt,
        int maxTokens,
        SamplingParameters sampling,
        Set<Integer> stopTokens,
        int choice,
        int topLogProbabilities,
        TraceRequest trace,
        boolean background) {

    /** No log-probabilities are wanted. */
    public static final int NO_LOG_PROBABILITIES = -1;

    /** Most alternatives that can be reported. */
    public static final int MAX_TOP_LOG_PROBABILITIES = 20;

    /** Copies the arguments. */
    public GenerationRequest {
        prompt = prompt.clone();
        stopTokens = Set.copyOf(stopTokens);
        if (topLogProbabilities < NO_LOG_PROBABILITIES || topLogProbabilities > MAX_TOP_LOG_PROBABILITIES) {
            throw new IllegalArgumentException(
                    "top_logprobs is " + topLogProbabilities + "; allowed: 0 to " + MAX_TOP_LOG_PROBABILITIES);
        }
    }

    /** A request that stands behind no other. */
    public GenerationRequest(
            int[] prompt,
            int maxTokens,
            SamplingParameters sampling,
            Set<Integer> stopTokens,
            int choice,
            int topLogProbabilities,
            TraceRequest trace) {
        this(prompt, maxTokens, sampling, stopTokens, choice, topLogProbabilities, trace, false);
    }

    /** A request without log-probabilities. */
    public GenerationRequest(
            int[] prompt, int maxTokens, SamplingParameters sampling, Set<Integer> stopTokens, int choice) {
        this(prompt, maxTokens, sampling, stopTokens, choice, NO_LOG_PROBABILITIES, null);
    }

    /**
     * How many of the first prompt tokens need not be computed if their state is known from another request: all but the
     * last, whose logits are needed, and none of the queries that the trace asks about.
     */
    public int reusablePromptTokens() {
        int all = Math.max(0, prompt.length - 1);
        boolean asked = trace != null && trace.stages().contains(Stage.PREFILL);
        return asked ? Math.min(all, trace.from()) : all;
    }

    /** The same request with a trace. */
    public GenerationRequest traced(TraceRequest asked) {
        return new GenerationRequest(
                prompt, maxTokens, sampling, stopTokens, choice, topLogProbabilities, asked, background);
    }

    /** The same request behind all others. */
    public GenerationRequest inBackground() {
        return new GenerationRequest(prompt, maxTokens, sampling, stopTokens, choice, topLogProbabilities, trace, true);
    }
}
