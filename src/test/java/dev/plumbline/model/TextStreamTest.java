package dev.plumbline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextStreamTest {
    private static final String[] ATOMS = {
        "a", "b", "ab", "你", "好", "👩‍👧", "😀", "e\u0301", "\n", "the", "é", "\uFFFD"
    };

    @TempDir
    Path directory;

    private Tokenizer tokenizer;

    @BeforeEach
    void load() throws IOException {
        tokenizer = TinyTokenizer.load(directory);
    }

    @AfterEach
    void close() {
        tokenizer.close();
    }

    @Test
    void emitsACharacterOnlyWhenItIsComplete() {
        // given an emoji of four single-byte tokens
        TextStream stream = new TextStream(tokenizer, List.of());
        int[] ids = tokenizer.encode("a😀");

        // then
        assertThat(ids).hasSize(5);
        assertThat(stream.add(ids[0]).text()).isEqualTo("a");
        assertThat(stream.add(ids[1]).text()).isEmpty();
        assertThat(stream.add(ids[2]).text()).isEmpty();
        assertThat(stream.add(ids[3]).text()).isEmpty();
        assertThat(stream.add(ids[4]).text()).isEqualTo("😀");
        assertThat(stream.finish()).isEqualTo(new TextStream.Piece("", false));
    }

    @Test
    void replacesACharacterThatNeverBecomesComplete() {
        // given
        TextStream stream = new TextStream(tokenizer, List.of());

        // when
        stream.add(tokenizer.encode("😀")[0]);

        // then
        assertThat(stream.finish().text()).isEqualTo("\uFFFD");
    }

    @Test
    void holdsBackWhatMayBecomeAStopString() {
        // given
        TextStream stream = new TextStream(tokenizer, List.of("xyz"));

        // then
        assertThat(add(stream, "w")).isEqualTo("w");
        assertThat(add(stream, "x")).isEmpty();
        assertThat(add(stream, "y")).isEmpty();
        assertThat(add(stream, "w")).isEqualTo("xyw");
        assertThat(add(stream, "x")).isEmpty();
        assertThat(stream.finish()).isEqualTo(new TextStream.Piece("x", false));
    }

    @Test
    void emitsNothingFromAStopStringOn() {
        // given
        TextStream stream = new TextStream(tokenizer, List.of("yz", "never"));

        // when
        String text = add(stream, "x");
        text += add(stream, "y");
        TextStream.Piece piece = stream.add(tokenizer.encode("z")[0]);

        // then
        assertThat(text + piece.text()).isEqualTo("x");
        assertThat(piece.stopped()).isTrue();
        assertThat(stream.add(tokenizer.encode("a")[0])).isEqualTo(new TextStream.Piece("", true));
        assertThat(stream.finish()).isEqualTo(new TextStream.Piece("", true));
    }

    @Test
    void skipsSpecialTokens() {
        // given
        TextStream stream = new TextStream(tokenizer, List.of());

        // then
        assertThat(stream.add(tokenizer.special("</think>")).text()).isEmpty();
    }

    @Test
    void refusesStopStringsThatCannotBe() {
        assertThatThrownBy(() -> new TextStream(tokenizer, List.of("a", "")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TextStream(tokenizer, List.of("\uDE00")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void givesTheSameTextHoweverItIsCutIntoTokens() {
        // given random texts of emoji, Chinese and combining characters, and random stop strings
        Random random = new Random(11);
        int stoppedRuns = 0;
        for (int round = 0; round < 2000; round++) {
            String text = atoms(random, 1 + random.nextInt(20));
            List<String> stops = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                stops.add(atoms(random, 1 + random.nextInt(3)));
            }
            int[] ids = random.nextBoolean() ? tokenizer.encode(text) : bytewise(text);

            // when
            TextStream stream = new TextStream(tokenizer, stops);
            StringBuilder emitted = new StringBuilder();
            boolean stopped = false;
            for (int id : ids) {
                TextStream.Piece piece = stream.add(id);
                assertWellFormed(piece.text());
                emitted.append(piece.text());
                stopped |= piece.stopped();
            }
            emitted.append(stream.finish().text());

            // then
            assertThat(emitted.toString()).as("%s without %s", text, stops).isEqualTo(untilStop(text, stops));
            assertThat(stopped).isEqualTo(stops.stream().anyMatch(text::contains));
            stoppedRuns += stopped ? 1 : 0;
        }
        assertThat(stoppedRuns).isBetween(200, 1800);
    }

    @Test
    void decodesArbitraryBytesLikeTheWhole() {
        // given
        Random random = new Random(13);
        for (int round = 0; round < 2000; round++) {
            byte[] bytes = new byte[random.nextInt(12)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (random.nextInt(4) == 0 ? 'a' : 0x80 + random.nextInt(0x80));
            }

            // when
            TextStream stream = new TextStream(tokenizer, List.of());
            StringBuilder emitted = new StringBuilder();
            for (byte b : bytes) {
                emitted.append(stream.add((b & 0xff) + 2).text());
            }
            emitted.append(stream.finish().text());

            // then
            assertThat(emitted.toString()).isEqualTo(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /** What the definition says, by brute force: cut before the stop string that is complete first. */
    private static String untilStop(String text, List<String> stops) {
        for (int end = 0; end <= text.length(); end++) {
            String read = text.substring(0, end);
            int start = stops.stream()
                    .filter(read::endsWith)
                    .mapToInt(stop -> read.length() - stop.length())
                    .min()
                    .orElse(-1);
            if (start >= 0) {
                return read.substring(0, start);
            }
        }
        return text;
    }

    private String add(TextStream stream, String character) {
        return stream.add(tokenizer.encode(character)[0]).text();
    }

    private static String atoms(Random random, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(ATOMS[random.nextInt(ATOMS.length)]);
        }
        return text.toString();
    }

    private static int[] bytewise(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] ids = new int[bytes.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = (bytes[i] & 0xff) + 2;
        }
        return ids;
    }

    private static void assertWellFormed(String text) {
        assertThat(text.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF))
                .as("no half of a surrogate pair")
                .isTrue();
    }
}
