package dev.plumbline.usage;

/**
 * What was used.
 *
 * @param requests requests for an answer
 * @param errors those of them that failed
 * @param promptTokens tokens of prompts, once for each request
 * @param completionTokens generated tokens, of answers that were cut too
 */
record Usage(long requests, long errors, long promptTokens, long completionTokens) {
    Usage plus(Usage other) {
        return new Usage(
                requests + other.requests,
                errors + other.errors,
                promptTokens + other.promptTokens,
                completionTokens + other.completionTokens);
    }
}
