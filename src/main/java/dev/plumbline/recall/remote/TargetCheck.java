package dev.plumbline.recall.remote;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What asking a server a short question showed.
 *
 * @param target the server
 * @param models names that it lists
 * @param answer what it answered; null if it did not
 * @param measure how its prompts would be measured; empty if that could not be found out
 * @param lengths how well that agrees with what it counts; may be empty
 * @param selections whether it tells what its indexer selects; may be empty
 * @param facts what it says of itself
 * @param problems what a run would suffer from, a sentence each; none if it can begin
 */
public record TargetCheck(
        RemoteTarget target,
        List<String> models,
        Answer answer,
        String measure,
        String lengths,
        String selections,
        Map<String, String> facts,
        List<String> problems) {

    /**
     * An answer to the short question.
     *
     * @param text what it said
     * @param finishReason why it ended
     * @param promptTokens as the server counts them; 0 if it does not tell
     * @param answerTokens as the server counts them; 0 if it does not tell
     * @param firstTokenMillis to the first text; NaN without any
     * @param totalMillis to the end
     */
    public record Answer(
            String text,
            String finishReason,
            int promptTokens,
            int answerTokens,
            double firstTokenMillis,
            double totalMillis) {}

    /** Copies the lists. */
    public TargetCheck {
        models = List.copyOf(models);
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        problems = List.copyOf(problems);
    }
}
