package dev.plumbline.recall.remote;

/**
 * An answer that came to its end.
 *
 * @param text without reasoning
 * @param finishReason why it ended, as the server names it
 * @param promptTokens as the server counts them; 0 if it does not tell
 * @param answerTokens as the server counts them; 0 if it does not tell
 * @param firstTokenMillis from the request to the first text, reasoning included; NaN without any
 * @param totalMillis from the request to the end
 * @param fingerprint what the server says of its state; may be empty
 */
record ChatReply(
        String text,
        String finishReason,
        int promptTokens,
        int answerTokens,
        double firstTokenMillis,
        double totalMillis,
        String fingerprint) {

    /**
     * Refuses what ended otherwise than by itself or by its limit: of a filter's or an abort's answer nobody knows what it
     * would have been, so that it says nothing about recall.
     *
     * @param detail what the server says of it; may be empty
     * @throws ServerFailure naming the reason
     */
    ChatReply requireWhole(String detail) {
        if (finishReason.equals("stop") || truncated()) {
            return this;
        }
        throw ServerFailure.lasting(
                "it broke the answer off, finish reason " + finishReason + (detail.isEmpty() ? "" : ": " + detail));
    }

    /** Whether it hit its token limit. */
    boolean truncated() {
        return finishReason.equals("length");
    }
}
