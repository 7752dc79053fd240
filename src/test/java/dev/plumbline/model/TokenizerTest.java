package dev.plumbline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class TokenizerTest {
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
    void appliesMerges() {
        // when
        int[] ids = tokenizer.encode("Hello the");

        // then
        assertThat(ids).hasSize(2);
        assertThat(tokenizer.bytes(ids[0])).isEqualTo("Hello".getBytes(StandardCharsets.UTF_8));
        assertThat(tokenizer.bytes(ids[1])).isEqualTo(" the".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "你好，世界",
                "👩‍👩‍👧‍👦 family",
                "e\u0301 combining",
                "\u0000 nul",
                "  \n\t\r\n ",
                "<｜end▁of▁sentence｜>",
                "x<think>y</think>z",
                "<｜User｜><｜Assistant｜>｜DSML｜",
                "<｜<｜User｜>User｜>",
                "<think"
            })
    void roundTripsAnyTextThroughOrdinaryTokens(String text) {
        // when
        int[] ids = tokenizer.encode(text);

        // then
        assertThat(tokenizer.decode(ids)).isEqualTo(text);
        assertThat(Arrays.stream(ids).filter(tokenizer::isSpecial)).isEmpty();
    }

    @Test
    void roundTripsRandomTextMixedWithSpecialTexts() {
        // given
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(30); i >= 0; i--) {
                if (random.nextInt(4) == 0) {
                    text.append(TinyTokenizer.SPECIALS.get(random.nextInt(TinyTokenizer.SPECIALS.size())));
                } else {
                    int c = random.nextInt(0x10FFFF);
                    text.appendCodePoint(c >= 0xD800 && c <= 0xDFFF ? 'x' : c);
                }
            }

            // when
            int[] ids = tokenizer.encode(text.toString());

            // then
            assertThat(tokenizer.decode(ids)).isEqualTo(text.toString());
            assertThat(Arrays.stream(ids).filter(tokenizer::isSpecial)).isEmpty();
        }
    }

    @Test
    void formsNoSpecialTokenEvenIfTheVocabularyCanMergeIt() throws IOException {
        // given a vocabulary in which merges lead to the text of an added token
        ObjectNode json = TinyTokenizer.json();
        ObjectNode vocab = (ObjectNode) json.get("model").get("vocab");
        ArrayNode merges = (ArrayNode) json.get("model").get("merges");
        vocab.put("@@", 300);
        merges.add("@ @");
        TinyTokenizer.added((ArrayNode) json.get("added_tokens"), "@@", 300);
        try (Tokenizer merging = Tokenizer.load(TinyTokenizer.write(directory, json))) {
            // when
            int[] ids = merging.encode("a@@b");

            // then
            assertThat(merging.isSpecial(300)).isTrue();
            assertThat(ids).doesNotContain(300);
            assertThat(merging.decode(ids)).isEqualTo("a@@b");
        }
    }

    @Test
    void replacesLoneSurrogates() {
        assertThat(tokenizer.decode(tokenizer.encode("a\uD83Db😀\uDE00"))).isEqualTo("a\uFFFDb😀\uFFFD");
    }

    @Test
    void findsSpecialTokensByTextAndNamesAMissingOne() {
        assertThat(tokenizer.special("<｜begin▁of▁sentence｜>")).isZero();
        assertThat(tokenizer.special("<｜end▁of▁sentence｜>")).isEqualTo(1);
        assertThat(tokenizer.isSpecial(tokenizer.special("</think>"))).isTrue();
        assertThat(tokenizer.bytes(1)).isEmpty();
        assertThatThrownBy(() -> tokenizer.special("<｜title｜>"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("<｜title｜>");
    }

    @Test
    void decodesPartsOfCharactersAndUnknownIds() {
        // given the first byte of a two-byte character, a special token and padding of the model's vocabulary
        int first = tokenizer.encode("é")[0];

        // then
        assertThat(tokenizer.decode(new int[] {first, 0, tokenizer.vocabSize() + 5}))
                .isEqualTo("\uFFFD");
        assertThat(tokenizer.isSpecial(tokenizer.vocabSize() + 5)).isFalse();
        assertThat(tokenizer.bytes(first)).hasSize(1);
    }

    @Test
    void knowsTheBytesOfEveryToken() {
        // given all 256 byte tokens
        for (int b = 0; b < 256; b++) {
            assertThat(tokenizer.bytes(b + 2)).containsExactly(b);
        }
        assertThat(tokenizer.vocabSize()).isEqualTo(273);
    }

    @Test
    void neverTruncates() {
        // given more tokens than the library's default limit
        String text = "the".repeat(3000);

        // then
        assertThat(tokenizer.decode(tokenizer.encode(text))).isEqualTo(text);
    }

    @Test
    void encodesEightMebibytesInSeconds() {
        // given
        String text = "Hello the world, this is a haystack. 你好 ".repeat((8 << 20) / 44);

        // when
        long start = System.nanoTime();
        int[] ids = tokenizer.encode(text);
        Duration took = Duration.ofNanos(System.nanoTime() - start);

        // then
        assertThat(took).isLessThan(Duration.ofSeconds(60));
        assertThat(tokenizer.decode(ids)).isEqualTo(text);
    }

    @Test
    void cutsLongTextsOnlyWhereTheTokensAreTheSame() throws IOException {
        // given a text beyond the cutting length and the same words in short pieces
        String line = "Hello the 你好 th ell the,  the\n";
        int repeats = 2000;

        // when
        int[] whole = tokenizer.encode(line.repeat(repeats));
        int[] one = tokenizer.encode(line);

        // then
        assertThat(whole)
                .isEqualTo(IntStream.range(0, repeats)
                        .flatMap(i -> Arrays.stream(one))
                        .toArray());
    }

    @Test
    void doesNotCutTextsOfATokenizerWhoseWordsCrossSpaces() throws IOException {
        // given a tokenizer without word splitting that merges "a" with the space after it
        ObjectNode json = TinyTokenizer.json();
        ((ArrayNode) json.get("pre_tokenizer").get("pretokenizers")).remove(0);
        ObjectNode vocab = (ObjectNode) json.get("model").get("vocab");
        vocab.put("aĠ", 300);
        ((ArrayNode) json.get("model").get("merges")).add("a Ġ");
        try (Tokenizer merging = Tokenizer.load(TinyTokenizer.write(directory, json))) {
            // when
            int[] ids = merging.encode("a ".repeat(20_000));

            // then
            assertThat(ids).hasSize(20_000).containsOnly(300);
        }
    }

    @Test
    void losesNothingWhereATextWithoutWordBoundariesIsCut() {
        // given surrogate pairs across every cut
        String text = "a" + "😀".repeat(400_000);

        // when
        int[] ids = tokenizer.encode(text);

        // then
        assertThat(tokenizer.decode(ids)).isEqualTo(text);
    }

    @Test
    void isSafeForManyThreads() throws Exception {
        // given
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            int[] expected = tokenizer.encode("Hello the 你好");
            var results = IntStream.range(0, 400)
                    .mapToObj(i -> threads.submit(() -> tokenizer.encode("Hello the 你好")))
                    .toList();

            // then
            for (Future<int[]> result : results) {
                assertThat(result.get()).isEqualTo(expected);
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void refusesUseAfterClosing() throws IOException {
        // given
        Tokenizer closed = TinyTokenizer.load(directory);
        closed.close();

        // then
        assertThatThrownBy(() -> closed.encode("x")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesFilesOfOtherKinds() throws IOException {
        // given
        ObjectNode wordPiece = TinyTokenizer.json();
        ((ObjectNode) wordPiece.get("model")).put("type", "WordPiece");
        ObjectNode sentencePiece = TinyTokenizer.json();
        sentencePiece.putObject("pre_tokenizer").put("type", "Metaspace");

        // then
        assertThatThrownBy(() -> Tokenizer.load(TinyTokenizer.write(directory, wordPiece)))
                .isInstanceOf(InvalidModelException.class)
                .hasMessageContaining("model.type is \"WordPiece\"; allowed: BPE");
        assertThatThrownBy(() -> Tokenizer.load(TinyTokenizer.write(directory, sentencePiece)))
                .isInstanceOf(InvalidModelException.class)
                .hasMessageContaining("ByteLevel");
        ObjectNode withoutVocabulary = TinyTokenizer.json();
        ((ObjectNode) withoutVocabulary.get("model")).putObject("vocab");
        assertThatThrownBy(() -> Tokenizer.load(TinyTokenizer.write(directory, withoutVocabulary)))
                .isInstanceOf(InvalidModelException.class)
                .hasMessageContaining("tokenizer.json");
        assertThatThrownBy(() -> Tokenizer.load(directory.resolve("none.json")))
                .isInstanceOf(InvalidModelException.class);
    }
}
