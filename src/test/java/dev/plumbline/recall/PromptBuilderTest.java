package dev.plumbline.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.model.ChatMessage;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PromptBuilderTest {
    private final Haystack haystack = Haystack.load();
    private final PromptCodec codec = new GreedyCodec();
    private final PromptBuilder builder = PromptBuilder.inHeldOutTexts(codec);

    @ParameterizedTest
    @EnumSource(Family.class)
    void everyFamilyHitsEveryLengthToTheToken(Family family) {
        for (int length : new int[] {900, 901, 902, 903, 1024, 2048, 5000}) {
            for (String depth : List.of("start", "middle", "end", "0.37")) {
                Prompt prompt = builder.build(cell(family, length, depth, 7));

                assertThat(prompt.tokens()).hasSize(length);
                assertThat(prompt.tokens()).isEqualTo(codec.encode(prompt.turns()));
            }
        }
    }

    @Test
    void aShortLengthIsHitToo() {
        for (int length = 300; length < 364; length++) {
            assertThat(builder.build(cell(Family.SINGLE, length, "middle", length))
                            .tokens())
                    .hasSize(length);
        }
    }

    @Test
    void equalCellsGiveEqualPromptsAndOtherSeedsGiveOthers() {
        Prompt prompt = builder.build(cell(Family.MANY_KEYS, 1024, "middle", 1));
        Prompt again = PromptBuilder.inHeldOutTexts(new GreedyCodec()).build(cell(Family.MANY_KEYS, 1024, "0.5", 1));

        assertThat(again.turns()).isEqualTo(prompt.turns());
        assertThat(builder.build(cell(Family.MANY_KEYS, 1024, "middle", 2)).turns())
                .isNotEqualTo(prompt.turns());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, 0.5, 0.9, 1})
    void theNeedleStandsAtItsDepthOnALineOfItsOwn(double depth) {
        Prompt prompt = builder.build(cell(Family.SINGLE, 4096, String.valueOf(depth), 3));
        String text = prompt.turns().get(0).content();
        String secret = prompt.expected().get(0);
        int line = text.lastIndexOf('\n', text.indexOf(secret)) + 1;

        double tokensBefore = codec.countTokens(text.substring(0, line));
        assertThat(tokensBefore / codec.countTokens(text)).isBetween(depth - 0.05, depth + 0.05);
        assertThat(text.indexOf(secret)).isEqualTo(text.lastIndexOf(secret));
    }

    @Test
    void atTheStartTheNeedleIsTheFirstLineAndAtTheEndTheLast() {
        String start = content(builder.build(cell(Family.SINGLE, 2048, "start", 5)));
        Prompt end = builder.build(cell(Family.SINGLE, 2048, "end", 5));

        assertThat(start.lines().findFirst().orElseThrow())
                .contains(builder.build(cell(Family.SINGLE, 2048, "start", 5)).expected());
        List<String> lines = content(end).lines().toList();
        assertThat(lines.get(lines.size() - 3)).contains(end.expected());
        assertThat(lines.get(lines.size() - 2)).isEmpty();
    }

    @Test
    void lookAlikesDifferFromTheKeyAskedInOneWordAndAreNotExpected() {
        Prompt prompt = builder.build(cell(Family.MANY_KEYS, 4096, "middle", 11));

        assertThat(prompt.others()).hasSizeBetween(4, 32).doesNotContainAnyElementsOf(prompt.expected());
        assertThat(content(prompt)).contains(prompt.others()).contains(prompt.expected());
    }

    @Test
    void anAbsentFactIsNowhereInTheText() {
        Prompt prompt = builder.build(cell(Family.ABSENT, 2048, "middle", 11));

        assertThat(prompt.expected()).isEmpty();
        assertThat(prompt.others()).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void severalValuesAreExpectedInTheOrderOfTheText() {
        for (long seed = 0; seed < 20; seed++) {
            Prompt prompt = builder.build(cell(Family.SEVERAL_VALUES, 1024, "middle", seed));

            assertThat(prompt.expected()).hasSizeBetween(2, 3).doesNotHaveDuplicates();
            assertThat(content(prompt)).containsSubsequence(prompt.expected());
        }
    }

    @Test
    void aRepeatedFactStandsEightTimes() {
        Prompt prompt = builder.build(cell(Family.REPEATED, 2048, "middle", 4));

        assertThat(content(prompt).split(prompt.expected().get(0), -1)).hasSize(9);
    }

    @Test
    void anEarlierFactIsAskedAboutInTheLastTurn() {
        Prompt prompt = builder.build(cell(Family.EARLIER_TURN, 2048, "middle", 4));

        assertThat(prompt.turns()).hasSizeGreaterThanOrEqualTo(5);
        assertThat(content(prompt)).contains(prompt.expected());
        assertThat(prompt.turns().subList(1, prompt.turns().size()))
                .noneSatisfy(turn -> assertThat(turn.content()).contains(prompt.expected()));
        assertThat(prompt.turns().get(1))
                .isEqualTo(new ChatMessage(
                        ChatMessage.Role.ASSISTANT, haystack.answers().acknowledge()));
    }

    @Test
    void needlesUseOnlyWordsThatNoModelWasTrainedOn() {
        List<String> trained = haystack.words().get("code").train();
        for (long seed = 0; seed < 50; seed++) {
            String secret = builder.build(cell(Family.SINGLE, 600, "middle", seed))
                    .expected()
                    .get(0);

            assertThat(Arrays.asList(secret.split("[-_ 0-9]+"))).doesNotContainAnyElementsOf(trained);
        }
    }

    @Test
    void aShortFileIsRepeatedAndThePromptSaysHowOften() {
        String file = IntStream.range(0, 20)
                .mapToObj(i -> "line " + i + " of a short file\n")
                .collect(Collectors.joining());
        PromptBuilder own = PromptBuilder.in(FillerSource.of("short.txt", file), codec);

        Prompt prompt = own.build(cell(Family.SINGLE, 3000, "end", 2));

        assertThat(prompt.tokens()).hasSize(3000);
        assertThat(prompt.rounds()).isGreaterThan(10);
        assertThat(own.build(cell(Family.SINGLE, 150, "end", 2)).rounds()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one line without an end",
                "日本語の文章です。二つ目の文。\n三つ目の行。\n",
                "a\n\n\n\nb\n\n\n",
                "emoji 😀😀😀😀 and e\u0301 accents\n",
                "tabs\tand  double  blanks   \r\nwindows line\r\n"
            })
    void oddFilesAreFilledExactlyAsWell(String text) {
        PromptBuilder own = PromptBuilder.in(FillerSource.of("odd.txt", text), codec);

        for (int length = 200; length < 240; length++) {
            assertThat(own.build(cell(Family.SINGLE, length, "middle", length)).tokens())
                    .hasSize(length);
        }
    }

    @Test
    void aFileOfOneEndlessLineIsCutIntoPieces() {
        PromptBuilder own = PromptBuilder.in(FillerSource.of("min.json", "{\"a\":[1,2,3]},".repeat(5000)), codec);

        Prompt prompt = own.build(cell(Family.SINGLE, 4096, "middle", 1));

        double before =
                codec.countTokens(content(prompt).split(prompt.expected().get(0), -1)[0]);
        assertThat(before / 4096).isBetween(0.4, 0.6);
    }

    @Test
    void aLengthTooSmallForTheQuestionIsRefusedWithTheTokensItTakes() {
        assertThatThrownBy(() -> builder.build(cell(Family.SINGLE, 20, "middle", 1)))
                .isInstanceOf(PromptLengthException.class)
                .hasMessageContaining("a single prompt of 20 tokens is too short")
                .hasMessageMatching(".*alone take \\d+");
    }

    private static Cell cell(Family family, int length, String depth, long seed) {
        return new Cell(family, length, Depth.of(depth), seed);
    }

    private static String content(Prompt prompt) {
        return prompt.turns().get(0).content();
    }
}
