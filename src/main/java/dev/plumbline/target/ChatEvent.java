package dev.plumbline.target;

/** One event of a chat: {@link Started} first, then texts, then {@link Finished}. */
public sealed interface ChatEvent {

    /** The prompt is encoded and queued. */
    record Started(int promptTokens) implements ChatEvent {}

    /** More of the answer; whole code points, never part of a stop string. */
    record Text(Channel channel, String text) implements ChatEvent {}

    /** The answer is complete. */
    record Finished(Reason reason, Usage usage) implements ChatEvent {}

    /** Which part of the answer a text belongs to. */
    enum Channel {
        CONTENT,
        REASONING
    }

    /** Why an answer is complete. */
    enum Reason {
        /** End of sentence, or a stop string. */
        STOP,
        /** The token limit or the end of the context. */
        LENGTH
    }

    /** Tokens of the prompt and of the answer; {@code reasoningTokens} are part of {@code completionTokens}. */
    record Usage(int promptTokens, int completionTokens, int reasoningTokens) {}
}
