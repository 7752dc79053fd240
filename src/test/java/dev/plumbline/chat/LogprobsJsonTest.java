package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.engine.TokenLogProbabilities;
import dev.plumbline.engine.TokenLogProbabilities.Alternative;
import dev.plumbline.model.TinyModel;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.target.ChatEvent.Score;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class LogprobsJsonTest {
    private static Tokenizer tokenizer;

    @BeforeAll
    static void load(@TempDir Path folder) throws IOException {
        tokenizer = Tokenizer.load(TinyModel.write(folder).resolve("tokenizer.json"));
    }

    @AfterAll
    static void close() {
        tokenizer.close();
    }

    @Test
    void everyKindOfTokenIsWrittenWithItsBytes() {
        int letter = tokenizer.encode("a")[0];
        int part = tokenizer.encode("😀")[0];
        List<Alternative> top = List.of(
                new Alternative(letter, -0f),
                new Alternative(TinyModel.EOS, Float.NEGATIVE_INFINITY),
                new Alternative(part, -20000));

        JsonNode written =
                new LogprobsJson(tokenizer).of(List.of(new Score(letter, new TokenLogProbabilities(-0.5f, top))));

        assertThat(written).hasToString("""
                        {"content":[{"token":"a","logprob":-0.5,"bytes":[97],"top_logprobs":[\
                        {"token":"a","logprob":0.0,"bytes":[97]},\
                        {"token":"<｜end▁of▁sentence｜>","logprob":-9999.0,"bytes":null},\
                        {"token":"\uFFFD","logprob":-9999.0,"bytes":[240]}]}],"refusal":null}""");
    }
}
