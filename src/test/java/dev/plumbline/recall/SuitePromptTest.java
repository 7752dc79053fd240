package dev.plumbline.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.plumbline.model.ChatEncoding;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.recall.suite.BuiltInSuites;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Placement;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.recall.suite.Task;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Prompts of suites as the embedded model reads them. */
class SuitePromptTest {
    private static final Path TOKENIZER = Path.of("src/main/resources/models/needle-mini/tokenizer.json");
    private static final Edges EDGES = new Edges(128, 256);
    private static final int WINDOW = 128;
    private static Tokenizer tokenizer;
    private static PromptCodec codec;
    private static SuitePromptBuilder builder;

    @BeforeAll
    static void load() {
        tokenizer = Tokenizer.load(TOKENIZER);
        codec = new ModelCodec(tokenizer, new ChatEncoding(tokenizer));
        builder = SuitePromptBuilder.inHeldOutTexts(codec);
    }

    @AfterAll
    static void close() {
        tokenizer.close();
    }

    @ParameterizedTest
    @MethodSource("suites")
    void everyStratumIsExactToTheToken(Suite suite) {
        assertThat(firstHaystack(suite)).allSatisfy(cell -> {
            SuitePrompt prompt = builder.build(cell);
            assertThat(prompt.tokens()).hasSize(cell.length()).isEqualTo(codec.encode(prompt.turns()));
            assertThat(prompt.expected()).isNotEmpty().doesNotHaveDuplicates();
            assertThat(prompt.others()).doesNotContainAnyElementsOf(prompt.expected());
            assertThat(prompt.expected()).allMatch(value -> holds(prompt, value));
            assertThat(prompt.others()).allMatch(value -> holds(prompt, value));
        });
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"smoke", "sweep", "edges"})
    void noCellOfManyIsOffByAToken(String suite) {
        assertThat(BuiltInSuites.find(suite).orElseThrow().cells(EDGES, List.of(1L, 2L)))
                .allSatisfy(cell -> assertThat(builder.build(cell).tokens()).hasSize(cell.length()));
    }

    @Test
    void questionsAboutOneTextShareAllButTheEndOfTheirPrompts() {
        Map<String, List<SuitePrompt>> texts = prompts("smoke", "4K tokens", 4);

        assertThat(texts).hasSize(4).allSatisfy((text, prompts) -> {
            assertThat(prompts).hasSize(8);
            assertThat(prompts).allSatisfy(prompt -> assertThat(shared(prompts.get(0), prompt))
                    .isGreaterThanOrEqualTo(prompt.cell().length() - WINDOW));
            assertThat(prompts.stream().map(SuitePrompt::expected)).doesNotHaveDuplicates();
            assertThat(prompts.stream().map(SuitePrompt::hash)).doesNotHaveDuplicates();
        });
    }

    @Test
    void theNeedlesOfOneTextStandAtTheDepthsTheirCellsSay() {
        prompts("smoke", "4K tokens", 2).values().stream().flatMap(List::stream).forEach(prompt -> {
            String text = text(prompt);
            int at = text.indexOf(prompt.expected().get(0));
            double depth = (double) codec.countTokens(text.substring(0, at))
                    / prompt.cell().length();

            assertThat(at).isEqualTo(text.lastIndexOf(prompt.expected().get(0)));
            assertThat(depth).isCloseTo(prompt.cell().placement().depth(), within(0.07));
        });
    }

    @Test
    void lookAlikesDifferFromTheKeyAskedInOneWord() {
        List<SuitePrompt> prompts =
                prompts("smoke", "1K tokens", 1).values().iterator().next();

        assertThat(prompts).allSatisfy(prompt -> assertThat(prompt.others())
                .hasSize(7)
                .containsExactlyInAnyOrderElementsOf(prompts.stream()
                        .flatMap(other -> other.expected().stream())
                        .filter(value -> !prompt.expected().contains(value))
                        .toList()));
    }

    @Test
    void aNeedleInTheWindowLiesInTheLastTokensOfTheText() {
        prompts("smoke", "160 tokens, needle in the window", 16).values().forEach(prompts -> assertThat(prompts)
                .allSatisfy(prompt -> {
                    String text = text(prompt);
                    String rest = text.substring(text.indexOf(prompt.expected().get(0)));
                    String line = lineOf(text, prompt.expected().get(0));

                    assertThat(codec.countTokens(line + "\n")).isLessThanOrEqualTo(SuitePlanner.WINDOW_TOKENS);
                    assertThat(rest.lines().skip(1).findFirst()).contains("");
                    assertThat(codec.countTokens(rest)).isLessThan(WINDOW);
                    assertThat(prompt.others()).hasSize(1);
                }));
    }

    @Test
    void aRepeatedNeedleStandsEightTimesInSome340Lines() {
        List<SuitePrompt> prompts = prompts("story", "340 lines, needle eight times", 16).values().stream()
                .map(texts -> texts.get(0))
                .filter(prompt -> prompt.cell().question() == 0)
                .toList();

        assertThat(prompts.stream()
                        .map(prompt -> text(prompt)
                                        .split(Pattern.quote(prompt.expected().get(0)), -1)
                                        .length
                                - 1))
                .hasSize(16)
                .containsOnly(8);
        assertThat(prompts.stream()
                        .mapToLong(prompt -> text(prompt).lines().count())
                        .average()
                        .orElseThrow())
                .isCloseTo(340, within(20.0));
    }

    @Test
    void configurationFilesAreMadeOfConfigurationFiles() {
        List<SuitePrompt> prompts = prompts("story", "8K tokens of configuration", 1)
                .values()
                .iterator()
                .next();

        assertThat(prompts).allSatisfy(prompt -> {
            String line = lineOf(text(prompt), prompt.expected().get(0));
            assertThat(line).matches("(  |export |set |\")?[A-Za-z0-9._-]+\"?(: | = |=|: \"| ).*");
        });
    }

    @ParameterizedTest
    @EnumSource(Task.class)
    void everyTaskIsTheSamePromptEveryTime(Task task) {
        Suite suite = suite("{name: a, task: " + task.label()
                + ", lengths: [900, 1500], placements: [start, 0.4], haystacks: 1, questions: 2}");

        for (SuiteCell cell : suite.cells(EDGES, List.of(3L))) {
            SuitePrompt prompt = builder.build(cell);
            SuitePrompt again = SuitePromptBuilder.inHeldOutTexts(codec).build(cell);

            assertThat(again.turns()).isEqualTo(prompt.turns());
            assertThat(again.hash()).isEqualTo(prompt.hash());
        }
    }

    @Test
    void severalQuestionsAreAnsweredInTheirOrder() {
        SuitePrompt prompt = one("multiquery");

        assertThat(prompt.expected()).hasSize(3);
        assertThat(Scorer.containing().score(prompt, String.join(", ", prompt.expected())))
                .isEqualTo(new Score(true, 0, ""));
        assertThat(Scorer.containing().score(prompt, prompt.expected().get(0)).passed())
                .isFalse();
    }

    @Test
    void aTrackedVariableIsReachedOverFourOthers() {
        SuitePrompt prompt = one("variable-tracking");
        String text = text(prompt);
        String value = prompt.expected().get(0);
        String question = text.lines().reduce((first, second) -> second).orElseThrow();

        List<String> links = Pattern.compile("The value of (\\S+) is that of (\\S+)\\.")
                .matcher(text)
                .results()
                .map(match -> match.group(1) + " " + match.group(2))
                .toList();
        assertThat(links).hasSize(4);
        String key = links.stream()
                .map(link -> link.split(" ")[0])
                .filter(question::contains)
                .findFirst()
                .orElseThrow();
        for (int hop = 0; hop < 4; hop++) {
            String from = key + " ";
            key = links.stream()
                    .filter(link -> link.startsWith(from))
                    .findFirst()
                    .orElseThrow()
                    .split(" ")[1];
        }
        assertThat(lineOf(text, value)).contains(key);
    }

    @Test
    void aTurnBeforeTheQuestionIsNotTheText() {
        SuitePrompt prompt = one("multi-turn");

        assertThat(prompt.turns()).hasSizeGreaterThanOrEqualTo(5);
        assertThat(prompt.turns().get(0).content()).contains(prompt.expected());
    }

    @Test
    void tokenizersThatJoinLinesAreFilledExactlyToo() {
        PromptCodec greedy = new GreedyCodec();
        SuitePromptBuilder other = SuitePromptBuilder.inHeldOutTexts(greedy);

        for (String name : List.of("smoke", "sweep")) {
            assertThat(firstHaystack(BuiltInSuites.find(name).orElseThrow())).allSatisfy(cell -> {
                if (cell.length() >= 512 && cell.length() < 9000) {
                    assertThat(other.build(cell).tokens()).hasSize(cell.length());
                }
            });
        }
    }

    @Test
    void aUsersOwnTextHoldsTheNeedles() {
        SuitePromptBuilder own = SuitePromptBuilder.in(FillerSource.file(Path.of("LICENSE")), codec);

        SuiteCell cell = firstHaystack(BuiltInSuites.find("smoke").orElseThrow()).stream()
                .filter(some -> some.length() == 4096)
                .findFirst()
                .orElseThrow();
        assertThat(own.build(cell).tokens()).hasSize(4096);
        assertThat(text(own.build(cell))).contains("Apache License");
    }

    static List<Suite> suites() {
        return BuiltInSuites.all();
    }

    private static SuitePrompt one(String task) {
        Suite suite = suite(
                "{name: a, task: " + task + ", lengths: [1200], placements: [middle], haystacks: 1, questions: 1}");
        return builder.build(suite.cells(EDGES, List.of(1L)).get(0));
    }

    private static Suite suite(String stratum) {
        String document = "name: own\nversion: 1\nstrata:\n  - " + stratum + "\n";
        return SuiteYaml.read(document.getBytes(StandardCharsets.UTF_8));
    }

    private static List<SuiteCell> firstHaystack(Suite suite) {
        return suite.cells(EDGES, List.of(1L)).stream()
                .filter(cell -> cell.haystack() == 0 && cell.text() < 2)
                .toList();
    }

    /** Prompts of the first haystacks of a stratum, by text. */
    private static Map<String, List<SuitePrompt>> prompts(String suite, String stratum, int haystacks) {
        return BuiltInSuites.find(suite).orElseThrow().cells(EDGES, List.of(1L)).stream()
                .filter(cell -> cell.stratum().equals(stratum) && cell.haystack() < haystacks)
                .filter(cell -> cell.placement().kind() == Placement.Kind.ONCE || cell.question() < 1)
                .map(builder::build)
                .collect(Collectors.groupingBy(
                        prompt -> prompt.cell().textId(), LinkedHashMap::new, Collectors.toCollection(ArrayList::new)));
    }

    private static int shared(SuitePrompt first, SuitePrompt second) {
        int mismatch = Arrays.mismatch(first.tokens(), second.tokens());
        return mismatch < 0 ? first.tokens().length : mismatch;
    }

    private static boolean holds(SuitePrompt prompt, String value) {
        return text(prompt).contains(value);
    }

    private static String text(SuitePrompt prompt) {
        return prompt.turns().stream().map(ChatMessage::content).collect(Collectors.joining("\n"));
    }

    private static String lineOf(String text, String value) {
        return Stream.of(text.split("\n"))
                .filter(line -> line.contains(value))
                .findFirst()
                .orElseThrow();
    }
}
