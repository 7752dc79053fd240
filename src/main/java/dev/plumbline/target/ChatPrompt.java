package dev.plumbline.target;

import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ThinkingMode;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a target is to answer.
 *
 * @param messages the conversation, at least one
 * @param thinking whether the model thinks before it answers
 * @param maxTokens most tokens of the answer; {@link #UNTIL_END} leaves the rest of the context
 * @param sampling how tokens are chosen
 * @param stop texts that end the answer and are not part of it
 * @param choices how many answers, at least 1
 * @param topLogProbabilities how many alternatives each token of the content comes with;
 *     {@link GenerationRequest#NO_LOG_PROBABILITIES} reports no log-probabilities at all
 * @param lane what answers; null takes the lane that is active when the answer is asked for
 * @param selection what to tell of the indexer's selections; null = nothing, which costs nothing
 */
public record ChatPrompt(
        List<ChatMessage> messages,
        ThinkingMode thinking,
        int maxTokens,
        SamplingParameters sampling,
        List<String> stop,
        int choices,
        int topLogProbabilities,
        LaneKey lane,
        SelectionOptions selection) {

    /** No limit but the context. */
    public static final int UNTIL_END = Integer.MAX_VALUE;

    /** Copies the lists. */
    public ChatPrompt {
        messages = List.copyOf(messages);
        stop = List.copyOf(stop);
    }

    /** A prompt for the active lane, whose answer tells nothing of selections. */
    public ChatPrompt(
            List<ChatMessage> messages,
            ThinkingMode thinking,
            int maxTokens,
            SamplingParameters sampling,
            List<String> stop,
            int choices,
            int topLogProbabilities) {
        this(messages, thinking, maxTokens, sampling, stop, choices, topLogProbabilities, null, null);
    }

    /** The same for a lane. */
    public ChatPrompt on(LaneKey other) {
        return new ChatPrompt(
                messages, thinking, maxTokens, sampling, stop, choices, topLogProbabilities, other, selection);
    }

    /** The same with other messages. */
    public ChatPrompt withMessages(List<ChatMessage> others) {
        return new ChatPrompt(
                others, thinking, maxTokens, sampling, stop, choices, topLogProbabilities, lane, selection);
    }

    /** A seed for a request that brought none. */
    public static long randomSeed() {
        return ThreadLocalRandom.current().nextLong();
    }
}
