package dev.plumbline.cli;

import dev.plumbline.trace.Stage;
import dev.plumbline.trace.TokenSpan;
import dev.plumbline.trace.TraceRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Traces that {@code bench-trace} takes the cost of; each watches a text of 16 tokens in the middle of the prompt. */
enum TracedQueries {
    NONE,
    ANSWER,
    LAST,
    QUESTION,
    ALL;

    private static final int WATCHED = 16;
    /** Tokens of a question of one line. */
    private static final int QUESTION_TOKENS = 24;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What to ask the engine about a prompt of that length, or null. */
    TraceRequest request(int length) {
        int question = Math.max(0, length - QUESTION_TOKENS);
        return switch (this) {
            case NONE -> null;
            case ANSWER -> trace(length, length, TraceRequest.UNTIL_END);
            case LAST -> trace(length, length - 1, length);
            case QUESTION -> trace(length, question, length);
            case ALL -> trace(length, 0, TraceRequest.UNTIL_END);
        };
    }

    private static TraceRequest trace(int length, int from, int to) {
        int middle = length / 2;
        TokenSpan watched = new TokenSpan(middle, Math.min(length, middle + WATCHED));
        return new TraceRequest(from, to, EnumSet.allOf(Stage.class), Set.of(), List.of(List.of(watched)), false);
    }
}
