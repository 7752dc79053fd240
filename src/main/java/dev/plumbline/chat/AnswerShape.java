package dev.plumbline.chat;

import dev.plumbline.model.Tokenizer;

/**
 * What an answer is to consist of.
 *
 * @param choices number of choices
 * @param includeUsage whether a stream ends with its usage
 * @param logprobs writes log-probabilities; null if they were not asked for
 */
record AnswerShape(int choices, boolean includeUsage, LogprobsJson logprobs) {

    static AnswerShape of(ChatRequest request, Tokenizer tokenizer) {
        return new AnswerShape(
                request.prompt().choices(),
                request.includeUsage(),
                request.logprobs() ? new LogprobsJson(tokenizer) : null);
    }
}
