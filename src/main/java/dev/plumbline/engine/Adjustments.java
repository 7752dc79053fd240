package dev.plumbline.engine;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is added to the logits of one sequence: its bias, and penalties on what it has generated so far. */
final class Adjustments {
    private final SamplingParameters parameters;
    private final Map<Integer, Float> byToken;

    Adjustments(SamplingParameters parameters) {
        this.parameters = parameters;
        byToken = new LinkedHashMap<>(parameters.logitBias());
    }

    /** Notes that a token was generated. */
    void generated(int token, boolean firstTime) {
        float penalty = parameters.frequencyPenalty() + (firstTime ? parameters.presencePenalty() : 0);
        if (penalty != 0) {
            byToken.merge(token, -penalty, Float::sum);
        }
    }

    int size() {
        return byToken.size();
    }

    void copyTo(int[] tokens, float[] values, int at) {
        int i = at;
        for (Map.Entry<Integer, Float> entry : byToken.entrySet()) {
            tokens[i] = entry.getKey();
            values[i++] = entry.getValue();
        }
    }
}
