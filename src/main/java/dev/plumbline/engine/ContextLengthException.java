package dev.plumbline.engine;

/** The prompt leaves no room for an answer in the context. */
public final class ContextLengthException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int promptTokens;
    private final int maxContext;

    /** A prompt of {@code promptTokens} for a context of {@code maxContext} tokens. */
    public ContextLengthException(int promptTokens, int maxContext) {
        super("the prompt has " + promptTokens + " tokens; the context holds " + maxContext
                + " and at least one must be left for the answer");
        this.promptTokens = promptTokens;
        this.maxContext = maxContext;
    }

    /** Tokens of the prompt. */
    public int promptTokens() {
        return promptTokens;
    }

    /** Tokens of the context. */
    public int maxContext() {
        return maxContext;
    }
}
