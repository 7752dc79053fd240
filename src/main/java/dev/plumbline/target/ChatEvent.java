package dev.plumbline.target;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.engine.TokenLogProbabilities;
import dev.plumbline.trace.QueryTrace;
import java.util.List;

/**
 * One event of a chat. Every choice has {@link Started} first, then texts, then {@link Selected} if it was asked for, then
 * {@link Finished}.
 */
public sealed interface ChatEvent {

    /** Index of the choice it belongs to. */
    int choice();

    /** The prompt is encoded and queued on a lane that is open; the choice stays there until its end. */
    record Started(int choice, int promptTokens, LaneKey lane) implements ChatEvent {}

    /**
     * More of the answer.
     *
     * @param text whole code points, never part of a stop string; empty only if there are scores
     * @param scores tokens whose text ends in {@code text}, if they were asked for; of content only
     */
    record Text(int choice, Channel channel, String text, List<Score> scores) implements ChatEvent {
        /** Copies the list. */
        public Text {
            scores = List.copyOf(scores);
        }
    }

    /** What the indexer selected for the queries asked about, by position and layer. */
    record Selected(int choice, TracedPrompt prompt, List<QueryTrace> queries) implements ChatEvent {
        /** Copies the list. */
        public Selected {
            queries = List.copyOf(queries);
        }
    }

    /** The choice is complete. */
    record Finished(int choice, Reason reason, Usage usage) implements ChatEvent {}

    /** A token of the answer and how probable it was. */
    record Score(int token, TokenLogProbabilities logProbabilities) {}

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

    /**
     * Tokens of the prompt and of the answer; {@code cachedTokens} of the prompt were not computed anew, {@code
     * reasoningTokens} are part of {@code completionTokens}.
     */
    record Usage(int promptTokens, int cachedTokens, int completionTokens, int reasoningTokens) {

        /** A prompt that was computed from its start. */
        public Usage(int promptTokens, int completionTokens, int reasoningTokens) {
            this(promptTokens, 0, completionTokens, reasoningTokens);
        }

        /** Of two choices of one request, which share the prompt. */
        public Usage plus(Usage other) {
            return new Usage(
                    promptTokens,
                    Math.max(cachedTokens, other.cachedTokens),
                    completionTokens + other.completionTokens,
                    reasoningTokens + other.reasoningTokens);
        }
    }
}
