package dev.plumbline.chat;

import dev.plumbline.http.ApiException;

/** Bounds the log-probabilities that a whole answer may hold: unlike a stream's they are all kept until its end. */
final class LogprobsBudget {
    /** Entries of an answer; each costs a few hundred bytes until the answer is written. */
    static final long MOST_ENTRIES = 262_144;

    private LogprobsBudget() {}

    /**
     * Checks a request before anything is computed for it.
     *
     * @param maxContext tokens that an answer cannot exceed
     * @throws ApiException 400 naming {@code top_logprobs}, with the numbers
     */
    static void require(ChatRequest request, int maxContext) {
        if (request.stream() || !request.logprobs()) {
            return;
        }
        long tokens = Math.min(request.prompt().maxTokens(), maxContext);
        long entries = tokens * request.prompt().choices() * (request.prompt().topLogProbabilities() + 1L);
        if (entries > MOST_ENTRIES) {
            throw ApiException.badRequest(
                    "top_logprobs",
                    "invalid_value",
                    "Up to " + tokens + " tokens × n × (top_logprobs + 1) are " + entries
                            + " log-probabilities in one answer; allowed: " + MOST_ENTRIES
                            + ". Lower max_tokens, n or top_logprobs, or set stream to true.");
        }
    }
}
