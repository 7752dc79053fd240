package dev.plumbline.engine;

import java.util.Map;

/**
 * How tokens are chosen.
 *
 * @param temperature 0 (greedy) to 2
 * @param topP in (0, 1]
 * @param seed part of the sampling key; equal seeds give equal tokens
 * @param presencePenalty −2 to 2, subtracted once from every token already generated
 * @param frequencyPenalty −2 to 2, subtracted per occurrence in the generated text
 * @param logitBias added to the logit of a token id, −100 to 100
 */
public record SamplingParameters(
        float temperature,
        float topP,
        long seed,
        float presencePenalty,
        float frequencyPenalty,
        Map<Integer, Float> logitBias) {

    /** Copies the bias map and checks the ranges. */
    public SamplingParameters {
        logitBias = Map.copyOf(logitBias);
        require("temperature", temperature, temperature >= 0 && temperature <= 2, "0 to 2");
        require("top_p", topP, topP > 0 && topP <= 1, "above 0, at most 1");
        require("presence_penalty", presencePenalty, Math.abs(presencePenalty) <= 2, "-2 to 2");
        require("frequency_penalty", frequencyPenalty, Math.abs(frequencyPenalty) <= 2, "-2 to 2");
        logitBias.forEach((token, bias) -> require("logit_bias", bias, Math.abs(bias) <= 100, "-100 to 100"));
    }

    /** Always the most probable token. */
    public static SamplingParameters greedy() {
        return new SamplingParameters(0, 1, 0, 0, 0, Map.of());
    }

    private static void require(String name, float value, boolean valid, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: " + allowed);
        }
    }
}
