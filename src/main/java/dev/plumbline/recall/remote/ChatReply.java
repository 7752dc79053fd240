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

    /** Whether it hit its token limit. */
    boolean truncated() {
        return finishReason.equals("length");
    }
}
