package dev.plumbline.engine;

import java.util.Set;

/**
 * What to generate.
 *
 * @param prompt token ids, at least one
 * @param maxTokens most tokens to sample, at least 1; generation also ends at the end of the context
 * @param sampling how to sample
 * @param stopTokens tokens that end the generation without being reported
 * @param choice index of this choice within its request; part of the sampling key
 */
public record GenerationRequest(
        int[] prompt, int maxTokens, SamplingParameters sampling, Set<Integer> stopTokens, int choice) {

    /** Copies the arguments. */
    public GenerationRequest {
        prompt = prompt.clone();
        stopTokens = Set.copyOf(stopTokens);
    }
}
