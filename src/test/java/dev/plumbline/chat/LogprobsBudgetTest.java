package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.http.ApiException;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ThinkingMode;
import dev.plumbline.target.ChatPrompt;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LogprobsBudgetTest {

    @Test
    void aWholeAnswerThatCouldHoldMillionsOfLogProbabilitiesIsRefusedWithTheNumbers() {
        assertThatThrownBy(() -> LogprobsBudget.require(request(ChatPrompt.UNTIL_END, 8, 20, false), 32_768))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("5505024")
                .hasMessageContaining("allowed: 262144");
    }

    @Test
    void aStreamABoundedAnswerAndOneWithoutLogProbabilitiesAreNot() {
        assertThatCode(() -> LogprobsBudget.require(request(ChatPrompt.UNTIL_END, 8, 20, true), 32_768))
                .doesNotThrowAnyException();
        assertThatCode(() -> LogprobsBudget.require(request(1_000, 8, 20, false), 32_768))
                .doesNotThrowAnyException();
        assertThatCode(() -> LogprobsBudget.require(request(ChatPrompt.UNTIL_END, 8, -1, false), 32_768))
                .doesNotThrowAnyException();
    }

    private static ChatRequest request(int maxTokens, int choices, int top, boolean stream) {
        ChatPrompt prompt = new ChatPrompt(
                List.of(new ChatMessage(ChatMessage.Role.USER, "hello")),
                ThinkingMode.CHAT,
                maxTokens,
                SamplingParameters.greedy(),
                List.of(),
                choices,
                top);
        return new ChatRequest(
                "tiny", prompt, stream, false, new HistoryOptions(false, Map.of(), null), null, Set.of());
    }
}
