package dev.plumbline.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ThinkingMode;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.target.SelectionOptions.Queries;
import dev.plumbline.trace.EntryTrace;
import dev.plumbline.trace.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the trained model's indexer does with a needle, and with the budget that it needs for it. */
class NeedleTraceTest {
    private static final String NEEDLE = "ZEBRA-4492-OMEGA";
    private static final String ABSENT = "ZEBRA-4493-OMEGA";
    private static final String QUESTION = "What is the secret code of the north gate?";

    @Test
    void theNeedleIsSelectedAndAttendedToWithTheModelsBudgetAndCutByABudgetOfOne() throws IOException {
        Answer whole = ask(Map.of());
        Answer cut = ask(Map.of("index_topk", 1));

        assertThat(whole.text()).contains(NEEDLE);
        assertThat(cut.text()).doesNotContain(NEEDLE);
        for (Answer answer : List.of(whole, cut)) {
            assertThat(answer.selected().prompt().watched())
                    .satisfiesExactly(
                            found -> assertThat(found.spans()).hasSize(1),
                            absent -> assertThat(absent.spans()).isEmpty());
            assertThat(answer.selected().queries()).isNotEmpty().allSatisfy(query -> assertThat(query.allSelected())
                    .isFalse());
        }
        // A dozen tokens lie in five entries; each of them is needed for some token of the answer.
        int last = lastOwnEntry(whole);
        assertThat(selectedPerQuery(whole)).isGreaterThan(4);
        assertThat(entries(whole, last)).anySatisfy(entry -> {
            assertThat(entry.rank()).isEqualTo(1);
            assertThat(entry.margin()).isPositive();
            assertThat(entry.headMass()).isGreaterThan(0.9);
        });
        assertThat(selectedPerQuery(cut)).isLessThanOrEqualTo(1);
        assertThat(entries(cut, last)).allSatisfy(entry -> {
            assertThat(entry.selected()).isFalse();
            assertThat(entry.margin()).isNegative();
            assertThat(entry.mass()).isZero();
        });
    }

    private record Answer(String text, ChatEvent.Selected selected) {}

    private static Answer ask(Map<String, Object> flags) throws IOException {
        TargetOptions options = new TargetOptions(
                TargetOptions.DEFAULT_MODEL,
                "auto",
                Runtime.getRuntime().availableProcessors(),
                8192,
                1,
                1,
                PartialProfile.parse(flags));
        try (NativeTarget target = new TargetLoader(ModelLocator.standard(), notice -> {}).load(options)) {
            List<ChatEvent> events = target.answer(prompt(), choice -> {})
                    .collectList()
                    .blockOptional()
                    .orElseThrow();
            StringBuilder text = new StringBuilder();
            ChatEvent.Selected selected = null;
            for (ChatEvent event : events) {
                if (event instanceof ChatEvent.Text said) {
                    text.append(said.text());
                } else if (event instanceof ChatEvent.Selected found) {
                    selected = found;
                }
            }
            return new Answer(text.toString(), selected);
        }
    }

    private static ChatPrompt prompt() throws IOException {
        String licence = Files.readString(Path.of("LICENSE")).substring(0, 6000);
        int at = licence.indexOf('\n', licence.length() / 2) + 1;
        String planted = licence.substring(0, at) + "The secret code of the north gate is " + NEEDLE + ".\n"
                + licence.substring(at) + "\n\n" + QUESTION;
        return new ChatPrompt(
                List.of(new ChatMessage(ChatMessage.Role.USER, planted)),
                ThinkingMode.CHAT,
                64,
                SamplingParameters.greedy(),
                List.of(),
                1,
                GenerationRequest.NO_LOG_PROBABILITIES,
                null,
                new SelectionOptions(Queries.ANSWER, Stage.DECODE, Set.of(), List.of(NEEDLE, ABSENT), false));
    }

    private static int lastOwnEntry(Answer answer) {
        int end = answer.selected().prompt().watched().get(0).spans().get(0).to();
        return (end - 1) / answer.selected().prompt().tokensPerEntry();
    }

    /** What became of one entry of the needle for every query. */
    private static List<EntryTrace> entries(Answer answer, int id) {
        return answer.selected().queries().stream()
                .flatMap(query -> query.watches().get(0).entries().stream())
                .filter(entry -> entry.entry() == id)
                .toList();
    }

    private static double selectedPerQuery(Answer answer) {
        return answer.selected().queries().stream()
                .mapToInt(query -> query.watches().get(0).selected())
                .average()
                .orElseThrow();
    }
}
