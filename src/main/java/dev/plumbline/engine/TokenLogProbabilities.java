package dev.plumbline.engine;

import java.util.List;

/**
 * Natural log-probabilities at the place of a sampled token, of the distribution at temperature 1 after bias and
 * penalties.
 *
 * @param chosen that of the sampled token
 * @param top the most probable tokens, descending
 */
public record TokenLogProbabilities(float chosen, List<Alternative> top) {

    /** Copies the list. */
    public TokenLogProbabilities {
        top = List.copyOf(top);
    }

    /** A token and its log-probability. */
    public record Alternative(int token, float logProbability) {}
}
