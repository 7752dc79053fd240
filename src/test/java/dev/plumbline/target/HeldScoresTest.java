package dev.plumbline.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.engine.TokenLogProbabilities;
import dev.plumbline.model.TextStream;
import dev.plumbline.model.TinyModel;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.target.ChatEvent.Score;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldScoresTest {
    private static final String[] ATOMS = {"a", "b", "ab", "你", "😀", "e\u0301", "the", "Hello", " the"};
    private static final TokenLogProbabilities SOME = new TokenLogProbabilities(-1, List.of());

    private static Tokenizer tokenizer;

    private final HeldScores scores = new HeldScores();
    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream scored = new ByteArrayOutputStream();
    private final List<Integer> tokens = new ArrayList<>();

    @BeforeAll
    static void load(@TempDir Path folder) throws IOException {
        tokenizer = Tokenizer.load(TinyModel.write(folder).resolve("tokenizer.json"));
    }

    @AfterAll
    static void close() {
        tokenizer.close();
    }

    @Test
    void aCharactersTokensComeWithTheCharacter() {
        TextStream stream = new TextStream(tokenizer, List.of());
        int[] ids = tokenizer.encode("a😀");

        assertThat(add(stream, ids[0])).isEqualTo(1);
        assertThat(add(stream, ids[1])).isZero();
        assertThat(add(stream, ids[2])).isZero();
        assertThat(add(stream, ids[3])).isZero();
        assertThat(add(stream, ids[4])).isEqualTo(4);
    }

    @Test
    void aTokenWithoutTextIsScoredInItsPlace() {
        TextStream stream = new TextStream(tokenizer, List.of("ab"));

        assertThat(add(stream, tokenizer.special("</think>"))).isEqualTo(1);
        assertThat(add(stream, tokenizer.encode("a")[0])).isZero();
        assertThat(add(stream, tokenizer.special("</think>"))).isZero();
        assertThat(add(stream, tokenizer.encode("c")[0])).isEqualTo(3);
    }

    @Test
    void whatAStopStringCutsIsNotScored() {
        TextStream stream = new TextStream(tokenizer, List.of("lo"));

        assertThat(add(stream, tokenizer.encode("a")[0])).isEqualTo(1);
        int[] hello = tokenizer.encode("Hello");
        assertThat(hello).hasSize(1);
        assertThat(add(stream, hello[0])).isZero();
        assertThat(text).hasToString("aHel");
    }

    @Test
    void scoresAreThoseOfTheTextHoweverItIsHeldBack() {
        Random random = new Random(17);
        for (int round = 0; round < 3000; round++) {
            // given a random text in random tokens, with stop strings that often nearly match
            HeldScoresTest run = new HeldScoresTest();
            String wanted = atoms(random, 1 + random.nextInt(12));
            int[] ids = random.nextBoolean() ? tokenizer.encode(wanted) : bytewise(wanted);
            List<String> stops = random.nextBoolean() ? List.of() : List.of(atoms(random, 2), atoms(random, 3));
            TextStream stream = new TextStream(tokenizer, stops);

            // when
            boolean stopped = false;
            for (int id : ids) {
                TextStream.Piece piece = stream.add(id);
                run.scores.add(id, SOME, stream);
                run.take(piece.text());
                stopped = piece.stopped();
                run.requireWhatIsOutIsScored(ids);
                if (stopped) {
                    break;
                }
            }

            // then
            if (!stopped) {
                run.take(stream.finish().text());
                assertThat(run.scored.toString(StandardCharsets.UTF_8)).isEqualTo(wanted);
                assertThat(run.tokens).hasSize(ids.length);
            }
        }
    }

    /** Every token whose bytes are all out is scored, and no other. */
    private void requireWhatIsOutIsScored(int[] ids) {
        int out = text.toString().getBytes(StandardCharsets.UTF_8).length;
        assertThat(scored.size()).isLessThanOrEqualTo(out);
        if (tokens.size() < ids.length) {
            int next = tokenizer.bytes(ids[tokens.size()]).length;
            assertThat(scored.size() + next).isGreaterThan(out);
        }
    }

    private int add(TextStream stream, int id) {
        TextStream.Piece piece = stream.add(id);
        scores.add(id, SOME, stream);
        return take(piece.text());
    }

    private int take(String piece) {
        text.append(piece);
        List<Score> released = scores.release(piece);
        released.forEach(score -> {
            scored.writeBytes(tokenizer.bytes(score.token()));
            tokens.add(score.token());
        });
        return released.size();
    }

    private static String atoms(Random random, int count) {
        StringBuilder atoms = new StringBuilder();
        for (int i = 0; i < count; i++) {
            atoms.append(ATOMS[random.nextInt(ATOMS.length)]);
        }
        return atoms.toString();
    }

    private static int[] bytewise(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] ids = new int[bytes.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = (bytes[i] & 0xff) + 2;
        }
        return ids;
    }
}
