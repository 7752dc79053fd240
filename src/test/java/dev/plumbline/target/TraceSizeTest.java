package dev.plumbline.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ThinkingMode;
import dev.plumbline.target.SelectionOptions.Queries;
import dev.plumbline.trace.TokenSpan;
import dev.plumbline.trace.TraceRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A model of 21 layers that select up to 512 entries, and its longest context. */
class TraceSizeTest {
    private static final int LAYERS = 21;
    private static final int BUDGET = 512;
    private static final int CONTEXT = 1 << 20;
    private static final int PROMPT = 8192;

    @ParameterizedTest
    @CsvSource({
        // queries, most tokens, watched entries, ids, answers, field to narrow
        "ANSWER, 1000, 3,  true,  1, selection.entries",
        "LAST,   10, 9000, false, 1, selection.watch",
        "ALL,    10, 200,  false, 1, selection.queries",
        "ALL,    500, 0,   false, 1, selection.layers",
        "ANSWER, 200000, 0, false, 1, max_completion_tokens",
        "ALL,    100, 0,   false, 8, selection.layers"
    })
    void theFieldThatMakesATraceTooLargeIsNamed(
            Queries queries, int maxTokens, int watchedEntries, boolean ids, int choices, String field) {
        TraceSize size = size(queries, maxTokens, watchedEntries, ids, choices);
        assertThat(size.bytes()).isGreaterThan(TraceSize.MOST);
        assertThatThrownBy(size::require)
                .isInstanceOfSatisfying(SelectionException.class, refused -> assertThat(refused.field())
                        .isEqualTo(field))
                .hasMessageContaining(" = " + size.bytes() + " bytes; allowed: 33554432")
                .hasMessageContaining("'" + field + "'");
    }

    @Test
    void whatFitsIsNotRefused() {
        assertThatCode(() ->
                        size(Queries.LAST, ChatPrompt.UNTIL_END, 20, true, 8).require())
                .doesNotThrowAnyException();
        assertThatCode(() -> size(Queries.ANSWER, 256, 6, false, 1).require()).doesNotThrowAnyException();
    }

    @Test
    void theAnswerCountsUpToTheEndOfTheContext() {
        assertThat(size(Queries.ANSWER, ChatPrompt.UNTIL_END, 0, false, 1).answerQueries())
                .isEqualTo(CONTEXT - PROMPT);
        assertThat(size(Queries.LAST, ChatPrompt.UNTIL_END, 0, false, 1).answerQueries())
                .isZero();
        assertThat(size(Queries.ALL, 7, 0, false, 1).promptQueries()).isEqualTo(PROMPT);
    }

    private static TraceSize size(Queries queries, int maxTokens, int watchedEntries, boolean ids, int choices) {
        TokenSpan span =
                switch (queries) {
                    case QUESTION -> new TokenSpan(PROMPT - 20, PROMPT - 2);
                    case ANSWER -> new TokenSpan(PROMPT, TraceRequest.UNTIL_END);
                    case LAST -> new TokenSpan(PROMPT - 1, PROMPT);
                    case ALL -> new TokenSpan(0, TraceRequest.UNTIL_END);
                };
        ChatPrompt chat = new ChatPrompt(
                List.of(new ChatMessage(ChatMessage.Role.USER, "hello")),
                ThinkingMode.CHAT,
                maxTokens,
                SamplingParameters.greedy(),
                List.of(),
                choices,
                -1,
                null,
                new SelectionOptions(queries, null, Set.of(), List.of("x"), ids));
        List<Integer> entries = IntStream.range(0, watchedEntries).boxed().toList();
        WatchedText watched = new WatchedText("x", List.of(new TokenSpan(0, 1)), entries);
        return TraceSize.of(chat, PROMPT, span, LAYERS, 4, List.of(watched), BUDGET, CONTEXT);
    }
}
