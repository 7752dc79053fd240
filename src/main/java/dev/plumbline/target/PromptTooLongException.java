package dev.plumbline.target;

/** A prompt is so long that it need not be tokenised to know that it exceeds the context. */
public final class PromptTooLongException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final long leastTokens;
    private final int maxContext;

    PromptTooLongException(long leastTokens, int maxContext) {
        super("the prompt has at least " + leastTokens + " tokens; the context holds " + maxContext);
        this.leastTokens = leastTokens;
        this.maxContext = maxContext;
    }

    /** Tokens the prompt has at least. */
    public long leastTokens() {
        return leastTokens;
    }

    /** Tokens of the context. */
    public int maxContext() {
        return maxContext;
    }
}
