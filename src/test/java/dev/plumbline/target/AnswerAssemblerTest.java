package dev.plumbline.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.engine.FinishReason;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.model.ChatEncoding;
import dev.plumbline.model.ThinkingMode;
import dev.plumbline.model.TinyModel;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.target.ChatEvent.Channel;
import dev.plumbline.target.ChatEvent.Finished;
import dev.plumbline.target.ChatEvent.Reason;
import dev.plumbline.target.ChatEvent.Started;
import dev.plumbline.target.ChatEvent.Text;
import dev.plumbline.target.ChatEvent.Usage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswerAssemblerTest {
    private static final LaneKey LANE = LaneKey.startup(PrecisionProfile.baseline(8));

    private static Tokenizer tokenizer;
    private static ChatEncoding encoding;

    private final List<ChatEvent> events = new ArrayList<>();

    @BeforeAll
    static void load(@TempDir Path folder) throws IOException {
        tokenizer = Tokenizer.load(TinyModel.write(folder).resolve("tokenizer.json"));
        encoding = new ChatEncoding(tokenizer);
    }

    @AfterAll
    static void close() {
        tokenizer.close();
    }

    @Test
    void charactersStayWholeThoughTheirBytesAreTokens() {
        AnswerAssembler assembler = assembler(ThinkingMode.CHAT, List.of());
        tokens(assembler, tokenizer.encode("aü😀"));
        end(assembler, FinishReason.LENGTH);

        assertThat(events)
                .containsExactly(
                        new Started(2, 9, LANE),
                        text(Channel.CONTENT, "a"),
                        text(Channel.CONTENT, "ü"),
                        text(Channel.CONTENT, "😀"),
                        new Finished(2, Reason.LENGTH, new Usage(9, 7, 0)));
    }

    @Test
    void aStopStringThatSpansTokensNeverShows() {
        AnswerAssembler assembler = assembler(ThinkingMode.CHAT, List.of("END", "never"));
        tokens(assembler, tokenizer.encode("1 EN2 END"));

        assertThat(content()).isEqualTo("1 EN2 ");
        assertThat(events.get(events.size() - 1)).isEqualTo(new Finished(2, Reason.STOP, new Usage(9, 9, 0)));
    }

    @Test
    void whatOnlyLookedLikeAStopStringIsSaidAtTheEnd() {
        AnswerAssembler assembler = assembler(ThinkingMode.CHAT, List.of("END"));
        tokens(assembler, tokenizer.encode("xEN"));
        assertThat(content()).isEqualTo("x");
        end(assembler, FinishReason.STOP);

        assertThat(content()).isEqualTo("xEN");
        assertThat(((Finished) events.get(events.size() - 1)).reason()).isEqualTo(Reason.STOP);
    }

    @Test
    void reasoningIsToldApartAndCounted() {
        AnswerAssembler assembler = assembler(ThinkingMode.THINKING, List.of("b"));
        tokens(assembler, tokenizer.encode("ab"));
        tokens(assembler, tokenizer.special("</think>"));
        tokens(assembler, tokenizer.encode("c"));
        end(assembler, FinishReason.STOP);

        assertThat(events)
                .containsExactly(
                        new Started(2, 9, LANE),
                        text(Channel.REASONING, "a"),
                        text(Channel.REASONING, "b"),
                        text(Channel.CONTENT, "c"),
                        new Finished(2, Reason.STOP, new Usage(9, 4, 3)));
    }

    @Test
    void aGenerationThatSomethingElseCancelledIsAFailure() {
        AnswerAssembler assembler = assembler(ThinkingMode.CHAT, List.of());

        assertThatThrownBy(() -> end(assembler, FinishReason.CANCELLED)).isInstanceOf(IllegalStateException.class);
    }

    private static Text text(Channel channel, String text) {
        return new Text(2, channel, text, List.of());
    }

    private static AnswerAssembler assembler(ThinkingMode mode, List<String> stop) {
        return new AnswerAssembler(2, LANE, tokenizer, encoding.splitter(mode), 9, stop, null);
    }

    private void tokens(AnswerAssembler assembler, int... ids) {
        for (int id : ids) {
            events.addAll(assembler.accept(new EngineFlux.Token(2, id, null)));
        }
    }

    private void end(AnswerAssembler assembler, FinishReason reason) {
        events.addAll(assembler.accept(new EngineFlux.Ended(2, reason)));
    }

    private String content() {
        StringBuilder content = new StringBuilder();
        events.forEach(event -> {
            if (event instanceof Text text && text.channel() == Channel.CONTENT) {
                content.append(text.text());
            }
        });
        return content.toString();
    }
}
