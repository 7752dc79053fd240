package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Selection traces over HTTP, on a model with one layer that selects 8 entries of 4 tokens each. */
class SelectionTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LAYER = 1;
    private static final int BUDGET = 8;
    private static final int RATIO = 4;
    private static final String TEXT =
            "The zebra sleeps in the barn, and nobody but the 7 owls of the house knows where "
                    + "it hides its keys, 4492 of them, until the day on which the gate is opened again.";

    private static TestServer server;
    private static Wire wire;
    private static Api api;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        server = TestServer.serving(folder, 4, 16);
        wire = new Wire(server);
        api = new Api(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theLastTokenOfThePromptIsOneQueryOfEveryLayerThatSelects() throws Exception {
        JsonNode answer = ask(TEXT, Map.of("queries", "last", "watch", List.of("zebra", "4492")));

        JsonNode selection = answer.at("/plumbline/selection");
        int prompt = answer.at("/usage/prompt_tokens").asInt();
        assertThat(selection.path("prompt_tokens").asInt()).isEqualTo(prompt);
        assertThat(selection.path("tokens_per_entry").asInt()).isEqualTo(RATIO);
        JsonNode queries = selection.at("/choices/0/queries");
        assertThat(queries).hasSize(1);
        JsonNode query = queries.get(0);
        assertThat(query.path("layer").asInt()).isEqualTo(LAYER);
        assertThat(query.path("position").asInt()).isEqualTo(prompt - 1);
        assertThat(query.path("stage").asString()).isEqualTo("prefill");
        assertThat(query.path("budget").asInt()).isEqualTo(BUDGET);
        assertThat(query.path("candidates").asInt()).isEqualTo(prompt / RATIO);
        assertThat(query.path("selected").asInt()).isEqualTo(BUDGET);
        assertThat(query.path("all_selected").booleanValue()).isFalse();
        assertThat(query.has("entries")).isFalse();
        assertThat(query.path("watch")).hasSize(2);
    }

    @Test
    void watchedTextsComeWithTheirTokensAndTheEntriesThatHoldThem() throws Exception {
        JsonNode selection = ask(TEXT, Map.of("queries", "last", "watch", List.of("4492 of", "the", "ZEBRA")))
                .at("/plumbline/selection");
        JsonNode number = selection.at("/watch/0");
        assertThat(number.path("text").asString()).isEqualTo("4492 of");
        assertThat(number.path("found").booleanValue()).isTrue();
        assertThat(number.path("spans")).hasSize(1);
        int from = number.at("/spans/0/from").asInt();
        int to = number.at("/spans/0/to").asInt();
        assertThat(text(from, to)).isEqualTo("4492 of");
        assertThat(ints(number.path("entries")))
                .containsExactlyElementsOf(IntStream.rangeClosed(from / RATIO, (to - 1) / RATIO + 1)
                        .boxed()
                        .toList());
        assertThat(selection.at("/watch/1/spans"))
                .hasSize(TEXT.split("the", -1).length - 1)
                .allSatisfy(span -> assertThat(
                                text(span.path("from").asInt(), span.path("to").asInt()))
                        .contains("the"));
        JsonNode absent = selection.at("/watch/2");
        assertThat(absent.path("found").booleanValue()).isFalse();
        assertThat(absent.path("spans")).isEmpty();
        JsonNode nothing = selection.at("/choices/0/queries/0/watch/2");
        assertThat(nothing.path("selected").asInt(-1)).isZero();
        assertThat(nothing.path("rank").isNull()).isTrue();
        assertThat(nothing.path("margin").isNull()).isTrue();
        assertThat(nothing.path("entries")).isEmpty();
    }

    @Test
    void summariesAndIdsAgreeWithTheEntries() throws Exception {
        JsonNode queries = ask(TEXT, Map.of("queries", "question", "watch", List.of("zebra", "knows"), "entries", true))
                .at("/plumbline/selection/choices/0/queries");

        assertThat(queries).hasSizeGreaterThan(50);
        int cut = 0;
        for (JsonNode query : queries) {
            List<Integer> ids = ints(query.path("entries"));
            assertThat(ids).hasSize(query.path("selected").asInt()).isSorted().doesNotHaveDuplicates();
            assertThat(query.path("all_selected").booleanValue())
                    .isEqualTo(query.path("candidates").asInt() <= BUDGET);
            for (JsonNode watch : query.path("watch")) {
                int selected = 0;
                double mass = 0;
                int best = Integer.MAX_VALUE;
                for (JsonNode entry : watch.path("entries")) {
                    boolean inside = ids.contains(entry.path("entry").asInt());
                    assertThat(entry.path("selected").booleanValue()).isEqualTo(inside);
                    assertThat(entry.path("visible").booleanValue())
                            .isEqualTo(entry.path("entry").asInt()
                                    < query.path("candidates").asInt());
                    selected += inside ? 1 : 0;
                    mass += entry.path("mass").doubleValue();
                    best = entry.path("rank").isNull()
                            ? best
                            : Math.min(best, entry.path("rank").asInt());
                    if (entry.path("margin").isNumber()) {
                        cut++;
                        double margin = entry.path("margin").doubleValue();
                        assertThat(inside ? margin >= 0 : margin <= 0).isTrue();
                    }
                    assertThat(entry.path("mass").doubleValue() > 0).isEqualTo(inside);
                    assertThat(entry.path("head_mass").doubleValue())
                            .isGreaterThanOrEqualTo(entry.path("mass").doubleValue());
                }
                assertThat(watch.path("selected").asInt()).isEqualTo(selected);
                assertThat(watch.path("mass").doubleValue()).isBetween(mass - 1e-5, mass + 1e-5);
                assertThat(
                                watch.path("rank").isNull()
                                        ? Integer.MAX_VALUE
                                        : watch.path("rank").asInt())
                        .isEqualTo(best);
            }
        }
        assertThat(cut).isPositive();
    }

    @Test
    void theQuestionIsTheLastUserMessageAndTheAnswerWhatWasGenerated() throws Exception {
        List<Map<String, String>> messages = List.of(
                Map.of("role", "user", "content", TEXT),
                Map.of("role", "assistant", "content", "Yes."),
                Map.of("role", "user", "content", "Where are the keys?"));
        JsonNode question = api.chat("", Map.of("messages", messages, "selection", Map.of("queries", "question")))
                .json();
        JsonNode answer = api.chat(
                        "", Map.of("messages", messages, "max_tokens", 5, "selection", Map.of("queries", "answer")))
                .json();

        int prompt = question.at("/usage/prompt_tokens").asInt();
        List<Integer> asked = positions(question);
        // After the question come the assistant's turn and the end of its thoughts, a token each.
        assertThat(asked.get(asked.size() - 1)).isEqualTo(prompt - 3);
        assertThat(asked).hasSize(server.target().tokenizer().encode("Where are the keys?").length);
        assertThat(positions(answer)).containsExactly(prompt, prompt + 1, prompt + 2, prompt + 3);
        assertThat(answer.at("/plumbline/selection/choices/0/queries"))
                .allSatisfy(query -> assertThat(query.path("stage").asString()).isEqualTo("decode"));
    }

    @Test
    void allQueriesCanBeNarrowedToAStage() throws Exception {
        JsonNode all = ask(TEXT, Map.of("queries", "all"));
        int prompt = all.at("/usage/prompt_tokens").asInt();
        assertThat(positions(all))
                .containsExactlyElementsOf(
                        IntStream.range(0, prompt + 2).boxed().toList());
        assertThat(positions(ask(TEXT, Map.of("queries", "all", "stage", "prefill"))))
                .containsExactlyElementsOf(IntStream.range(0, prompt).boxed().toList());
        assertThat(positions(ask(TEXT, Map.of("queries", "all", "stage", "decode", "layers", List.of(LAYER)))))
                .containsExactly(prompt, prompt + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<｜User｜>",
                "</think>",
                "\"},{\"",
                "<script>alert(1)</script>",
                "\u0000\u0001",
                "🚋",
                "👩‍👩‍👧",
                "e\u0301",
                "%s\n\\",
                "' OR 1=1 --",
                ".*"
            })
    void hostileTextsAreFoundOnlyWhereTheyStandLetterForLetter(String hostile) throws Exception {
        List<String> watch = List.of(hostile);
        JsonNode without = ask(TEXT, Map.of("queries", "last", "watch", watch)).at("/plumbline/selection/watch/0");
        assertThat(without.path("text").asString()).isEqualTo(hostile);
        assertThat(without.path("found").booleanValue()).isFalse();

        JsonNode with = ask(TEXT + hostile + "x", Map.of("queries", "last", "watch", watch))
                .at("/plumbline/selection/watch/0");
        assertThat(with.path("found").booleanValue()).isTrue();
        assertThat(with.path("spans")).hasSize(1);
    }

    @Test
    void aTextThatOnlyTheLayoutHasIsNotFound() throws Exception {
        // The prompt has this token before the text, but no message has its letters.
        JsonNode watch = ask("hi", Map.of("queries", "last", "watch", List.of("<｜Assistant｜>", "hi</think>")))
                .at("/plumbline/selection/watch");
        assertThat(watch).allSatisfy(text -> assertThat(text.path("found").booleanValue())
                .isFalse());
    }

    @Test
    void anAnswerIsTheSameWithATraceAndWithoutOneHasNone() throws Exception {
        for (boolean greedy : new boolean[] {true, false}) {
            Map<String, Object> more = Map.of("max_tokens", 12, "seed", 5, "temperature", greedy ? 0 : 1, "n", 2);
            Map<String, Object> traced = new HashMap<>(more);
            traced.put("selection", Map.of("queries", "all", "watch", List.of("zebra"), "entries", true));
            JsonNode plain = api.chat(TEXT, more).json();
            JsonNode asked = api.chat(TEXT, traced).json();

            assertThat(plain.path("plumbline").has("selection")).isFalse();
            assertThat(asked.path("choices")).isEqualTo(plain.path("choices"));
        }
    }

    @Test
    void aTraceIsThatOfTheRunConfigThatAnswers() throws Exception {
        Map<String, ?> selection = Map.of("queries", "last", "watch", List.of("zebra"), "entries", true);
        JsonNode doubled = api.chat(TEXT, Map.of("run_config", "double-budget", "selection", selection))
                .json();
        JsonNode query = doubled.at("/plumbline/selection/choices/0/queries/0");

        assertThat(doubled.at("/plumbline/run_config").asString()).startsWith("double-budget");
        assertThat(query.path("budget").asInt()).isEqualTo(2 * BUDGET);
        assertThat(query.path("entries")).hasSize(2 * BUDGET);
    }

    @Test
    void everyChoiceHasItsOwnQueries() throws Exception {
        JsonNode answer = api.chat(
                        TEXT,
                        Map.of(
                                "n",
                                3,
                                "seed",
                                9,
                                "max_tokens",
                                6,
                                "selection",
                                Map.of("queries", "answer", "entries", true)))
                .json();
        JsonNode choices = answer.at("/plumbline/selection/choices");
        assertThat(choices).hasSize(3);
        for (int i = 0; i < 3; i++) {
            assertThat(choices.get(i).path("index").asInt(-1)).isEqualTo(i);
            assertThat(choices.get(i).path("queries")).hasSize(5);
        }
        assertThat(choices.get(0).path("queries")).isNotEqualTo(choices.get(1).path("queries"));
    }

    @Test
    void aStreamHasOneMoreChunkBeforeItsUsageThatSaysTheSame() throws Exception {
        String selection = ",\"seed\":3,\"n\":2,\"selection\":{\"queries\":\"all\",\"watch\":[\"zebra\"]}";
        String usage = ",\"stream_options\":{\"include_usage\":true}";
        JsonNode whole =
                JSON.readTree(server.chat(wire.body(TEXT, 5, false, selection)).body());
        String[] frames =
                server.chat(wire.body(TEXT, 5, true, selection + usage)).body().split("\n\n");
        String[] bare = server.chat(wire.body(TEXT, 5, true, selection)).body().split("\n\n");

        JsonNode chunk = JSON.readTree(frames[frames.length - 3].substring(6));
        assertThat(chunk.path("choices")).isEmpty();
        assertThat(chunk.path("usage").isNull()).isTrue();
        assertThat(chunk.path("plumbline")).isEqualTo(whole.path("plumbline"));
        assertThat(JSON.readTree(frames[frames.length - 2].substring(6))
                        .path("usage")
                        .isObject())
                .isTrue();
        for (int i = 0; i < frames.length - 3; i++) {
            assertThat(frames[i]).doesNotContain("\"selection\":");
        }
        assertThat(bare[bare.length - 1]).isEqualTo("data: [DONE]");
        assertThat(JSON.readTree(bare[bare.length - 2].substring(6)).path("plumbline"))
                .isEqualTo(whole.path("plumbline"));
    }

    @Test
    void anAnswerThatAStopStringEndsHasTheQueriesUpToThere() throws Exception {
        Map<String, Object> free =
                Map.of("max_tokens", 24, "temperature", 0, "logprobs", true, "selection", Map.of("queries", "answer"));
        JsonNode whole = api.chat(TEXT, free).json();
        JsonNode tokens = whole.at("/choices/0/logprobs/content");
        int end = IntStream.range(3, tokens.size())
                .filter(i -> tokens.get(i).path("token").asString().matches("[ -~]+"))
                .findFirst()
                .orElseThrow();
        String said = whole.at("/choices/0/message/content").asString();
        String stop = tokens.get(end).path("token").asString();
        int first = IntStream.range(0, tokens.size())
                .filter(i -> tokens.get(i).path("token").asString().contains(stop))
                .findFirst()
                .orElseThrow();
        Map<String, Object> stopped = new HashMap<>(free);
        stopped.put("stop", stop);

        JsonNode cut = api.chat(TEXT, stopped).json();

        assertThat(said).startsWith(cut.at("/choices/0/message/content").asString());
        assertThat(cut.at("/choices/0/finish_reason").asString()).isEqualTo("stop");
        assertThat(cut.at("/plumbline/selection/choices/0/queries")).hasSize(first);
    }

    @Test
    void oneOfSeveralRequestsInABatchAsksAndTheOthersAreAnsweredAsEver() throws Exception {
        JsonNode alone = ask(TEXT, Map.of("queries", "all", "watch", List.of("owls"), "entries", true));
        String plain =
                api.chat(TEXT, Map.of("temperature", 0, "max_tokens", 40)).text("/choices/0/message/content");
        List<CompletableFuture<JsonNode>> others = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            others.add(CompletableFuture.supplyAsync(
                    () -> answer(Map.of("temperature", 0, "max_tokens", 40)).json()));
        }
        JsonNode together = ask(TEXT, Map.of("queries", "all", "watch", List.of("owls"), "entries", true));

        assertThat(together.path("plumbline")).isEqualTo(alone.path("plumbline"));
        for (CompletableFuture<JsonNode> other : others) {
            JsonNode json = other.get(60, TimeUnit.SECONDS);
            assertThat(json.path("plumbline").has("selection")).isFalse();
            assertThat(json.at("/choices/0/message/content").asString()).isEqualTo(plain);
        }
    }

    @Test
    void aTraceThatCouldBecomeTooLargeIsRefusedWithTheArithmetic() throws Exception {
        String text = TEXT.repeat(30);
        HttpResponse<String> tooMuch = server.chat(
                wire.body(text, 4000, false, ",\"selection\":{\"queries\":\"all\",\"watch\":[\"e\",\"t\",\"a\"]}"));

        assertThat(tooMuch.statusCode()).isEqualTo(400);
        JsonNode error = JSON.readTree(tooMuch.body()).path("error");
        assertThat(error.path("param").asString()).isEqualTo("selection.watch");
        assertThat(error.path("message").asString())
                .contains(
                        "queries × 1 layers × 1 answers ×",
                        "places of the texts =",
                        "allowed: 33554432",
                        "'selection.watch'");
        assertThat(server.chat(wire.body(text, 3, false, ",\"selection\":{\"queries\":\"last\",\"watch\":[\"e\"]}"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aStoredAnswerDoesNotKeepItsTrace() throws Exception {
        JsonNode answer = api.chat(TEXT, Map.of("store", true, "selection", Map.of("queries", "last")))
                .json();
        assertThat(answer.at("/plumbline/selection/choices")).hasSize(1);
        JsonNode stored =
                api.get("/v1/chat/completions/" + answer.path("id").asString()).json();
        assertThat(stored.path("plumbline").has("selection")).isFalse();
    }

    @Test
    void aQuestionNeedsAUser() throws Exception {
        Api.Answer refused = api.chat(
                "",
                Map.of(
                        "messages",
                        List.of(Map.of("role", "system", "content", "Be brief.")),
                        "selection",
                        Map.of("queries", "question")));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/error/param")).isEqualTo("selection.queries");
        assertThat(refused.text("/error/message")).contains("answer, last, all");
    }

    private static JsonNode ask(String content, Map<String, ?> selection) throws IOException, InterruptedException {
        Api.Answer answer = api.chat(content, Map.of("temperature", 0, "selection", selection));
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        return answer.json();
    }

    private static Api.Answer answer(Map<String, ?> more) {
        try {
            return api.chat(TEXT, more);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Text of the tokens of a prompt that is one user message, {@link #TEXT}: the message begins at token 2. */
    private static String text(int from, int to) {
        int[] tokens = server.target().tokenizer().encode(TEXT);
        return server.target().tokenizer().decode(Arrays.copyOfRange(tokens, from - 2, to - 2));
    }

    private static List<Integer> positions(JsonNode answer) {
        return StreamSupport.stream(
                        answer.at("/plumbline/selection/choices/0/queries").spliterator(), false)
                .map(query -> query.path("position").asInt())
                .toList();
    }

    private static List<Integer> ints(JsonNode array) {
        return array.valueStream().map(JsonNode::asInt).toList();
    }
}
