package dev.plumbline.chat;

import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.target.ChatPrompt;

/**
 * A checked chat completion request.
 *
 * @param model name of the model as the client wrote it
 * @param prompt what to generate
 * @param stream whether the answer is streamed
 * @param includeUsage whether a stream ends with its usage
 * @param history what is to be continued and stored
 */
record ChatRequest(String model, ChatPrompt prompt, boolean stream, boolean includeUsage, HistoryOptions history) {

    /** Whether the answer is to have log-probabilities. */
    boolean logprobs() {
        return prompt.topLogProbabilities() != GenerationRequest.NO_LOG_PROBABILITIES;
    }
}
