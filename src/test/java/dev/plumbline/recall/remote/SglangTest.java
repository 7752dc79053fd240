package dev.plumbline.recall.remote;

import static dev.plumbline.recall.remote.FakeServer.CHAT;
import static dev.plumbline.recall.remote.FakeServer.chunk;
import static dev.plumbline.recall.remote.FakeServer.events;
import static dev.plumbline.recall.remote.FakeServer.json;
import static dev.plumbline.recall.remote.FakeServer.silence;
import static dev.plumbline.recall.remote.FakeServer.streamed;
import static dev.plumbline.recall.remote.FakeSglang.GENERATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.plumbline.database.Database;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ThinkingMode;
import dev.plumbline.recall.CellAnswer;
import dev.plumbline.recall.CellAnswer.Answered;
import dev.plumbline.recall.CellAnswer.Unanswered;
import dev.plumbline.recall.CellTarget;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import dev.plumbline.trace.CoveredEntry;
import dev.plumbline.trace.Stage;
import dev.plumbline.trace.TextSpans;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;

/** An SGLang that has the tokenizer of the model hosted here, whose only selecting layer is the second of three. */
class SglangTest {
    private static final int LENGTH = 1200;
    private static final int TOPK = 8;
    private static final int RATIO = 4;
    private static final Map<String, Object> SGLANG =
            Map.of("kind", "sglang", "edges", Map.of("window", 16, "budget", TOPK * RATIO));
    private static final List<Integer> OTHERS = List.of(5, 6, 7, 8, 9);

    private static TestServer plumbline;
    private static NativeTarget hosted;
    private static Database database;
    private static Remote remote;
    private FakeServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        plumbline = TestServer.serving(folder, 2, 8);
        hosted = plumbline.target();
        database = TestDatabase.open();
        remote = new Remote(database, hosted);
    }

    @AfterAll
    static void stop() {
        remote.close();
        database.close();
        plumbline.close();
    }

    /** Chats that count as the hosted tokenizer does. */
    @BeforeEach
    void serve() {
        server = new FakeServer();
        server.on(CHAT, (response, body) -> {
            List<ChatMessage> turns = StreamSupport.stream(body.path("messages").spliterator(), false)
                    .map(SglangTest::message)
                    .toList();
            int tokens = hosted.encoding().encode(turns, ThinkingMode.CHAT).length;
            return events(
                    response,
                    List.of(
                            chunk("\"content\":\"by chat\"", "stop"),
                            "{\"choices\":[],\"usage\":{\"prompt_tokens\":" + tokens + ",\"completion_tokens\":2}}",
                            "[DONE]"));
        });
    }

    private static ChatMessage message(JsonNode message) {
        return new ChatMessage(
                message.path("role").asString().equals("user") ? ChatMessage.Role.USER : ChatMessage.Role.ASSISTANT,
                message.path("content").asString());
    }

    @AfterEach
    void end() {
        server.close();
    }

    private static CellAnswer ask(CellTarget cells, SuitePrompt prompt) throws Exception {
        return cells.ask(prompt).get(30, TimeUnit.SECONDS);
    }

    private static FakeSglang sglang(int layers, FakeSglang.Selector selector) {
        return new FakeSglang(layers, TOPK, RATIO, selector);
    }

    /** Ids of the entries that hold something of the expected value. */
    private static List<Integer> needle(SuitePrompt prompt) {
        TextSpans text = new TextSpans(Arrays.stream(prompt.tokens())
                .mapToObj(hosted.tokenizer()::bytes)
                .toArray(byte[][]::new));
        return CoveredEntry.of(text.find(prompt.expected().get(0)), RATIO).stream()
                .map(CoveredEntry::entry)
                .toList();
    }

    @Test
    void aServerWithTheSameTokenizerIsAskedByTokensAndTellsWhatItSelected() throws Exception {
        try (CellTarget before = remote.open(server.url(), Map.of())) {
            SuitePrompt prompt = Remote.prompt(before, LENGTH);
            List<Integer> needle = needle(prompt);
            // The first layer never selects the needle; the second one does from the second token of the answer on.
            sglang(2, (position, layer) -> layer == 1 && position > LENGTH ? needle.subList(0, 2) : OTHERS)
                    .on(server);
            try (CellTarget cells = remote.open(server.url(), SGLANG)) {
                Answered answer = (Answered) ask(cells, prompt);

                assertThat(cells.measure())
                        .isEqualTo("tokenizer of " + hosted.model().hash())
                        .isEqualTo(before.measure());
                assertThat(answer.text()).isEqualTo("The code is 4492.");
                assertThat(answer.finishReason()).isEqualTo("stop");
                assertThat(answer.promptTokens()).isEqualTo(LENGTH);
                assertThat(answer.answerTokens()).isEqualTo(4);
                assertThat(answer.firstTokenMillis()).isPositive().isLessThanOrEqualTo(answer.totalMillis());
                assertThat(answer.needle())
                        .extracting(
                                NeedleTrace::layer,
                                NeedleTrace::stage,
                                NeedleTrace::position,
                                NeedleTrace::queries,
                                NeedleTrace::selectedQueries,
                                NeedleTrace::entries,
                                NeedleTrace::selected,
                                NeedleTrace::candidates)
                        .containsExactly(
                                tuple(0, Stage.PREFILL, 1199, 1, 0, needle.size(), 0, 300),
                                tuple(0, Stage.DECODE, 1200, 3, 0, needle.size(), 0, 300),
                                tuple(1, Stage.PREFILL, 1199, 1, 0, needle.size(), 0, 300),
                                tuple(1, Stage.DECODE, 1201, 3, 2, needle.size(), 2, 300));
                assertThat(answer.needle()).allSatisfy(trace -> {
                    assertThat(trace.budget()).isEqualTo(TOPK);
                    assertThat(trace.allSelected()).isFalse();
                    assertThat(trace.rank()).isZero();
                    assertThat(List.of(trace.score(), trace.margin(), trace.mass()))
                            .allMatch(unknown -> Double.isNaN(unknown));
                });
            }
        }
    }

    @Test
    void itsRequestsAreThePromptsOfNativeRuns() throws Exception {
        sglang(1, (position, layer) -> OTHERS).on(server);
        try (CellTarget cells = remote.open(server.url(), SGLANG)) {
            SuitePrompt prompt = Remote.prompt(cells, LENGTH);
            Answered answer = (Answered) ask(cells, prompt);
            FakeServer.Seen last = server.seen().get(server.seen().size() - 1);

            assertThat(last.path()).isEqualTo(GENERATE);
            assertThat(last.authorization()).isEqualTo("Bearer " + Remote.KEY);
            assertThat(last.body().path("input_ids").valueStream().mapToInt(JsonNode::asInt))
                    .containsExactly(Arrays.stream(prompt.tokens()).boxed().toArray(Integer[]::new));
            assertThat(last.body().at("/sampling_params/temperature").asInt(-1)).isZero();
            assertThat(last.body().at("/sampling_params/stop_token_ids/0").asInt())
                    .isEqualTo(hosted.encoding().endOfSentence());
            assertThat(last.body().path("return_indexer_topk").asBoolean()).isTrue();
            // As many selecting layers as the hosted model: then they have its numbers.
            assertThat(answer.needle()).extracting(NeedleTrace::layer).containsOnly(1);
        }
    }

    @Test
    void whatItSaysOfItselfIsKeptButNotItsOwnKey() throws Exception {
        sglang(1, (position, layer) -> OTHERS).on(server);
        try (CellTarget cells = remote.open(server.url(), SGLANG)) {
            Map<String, String> facts = cells.about().facts();

            assertThat(cells.about().kind()).isEqualTo("sglang");
            assertThat(facts)
                    .containsEntry("server version", "0.5.16")
                    .containsEntry("server kv_cache_dtype", "fp8_e4m3")
                    .containsEntry("server tp_size", "4");
            assertThat(facts.get("selections"))
                    .isEqualTo("told: 1 layers, numbered as those of " + hosted.name()
                            + ", at most 8 entries of 4 tokens");
            assertThat(facts.get("lengths")).contains("token for token");
            assertThat(facts.toString()).doesNotContain(FakeSglang.OWN_KEY);
        }
    }

    @Test
    void aServerWithAnotherBudgetThanTheTargetSaysIsRefused() {
        new FakeSglang(1, 2 * TOPK, RATIO, (position, layer) -> OTHERS).on(server);
        RemoteTarget target = remote.create(server.url(), SGLANG);

        assertThatThrownBy(() -> remote.open(target, null)).isInstanceOfSatisfying(TargetException.class, refused -> {
            assertThat(refused.code()).isEqualTo("budget_mismatch");
            assertThat(refused.field()).isEqualTo("edges.budget");
            assertThat(refused.getMessage()).contains("budget of 32 tokens", "16 entries of 4 tokens", "cover 64");
        });
        assertThat(remote.check(target).problems())
                .anySatisfy(problem -> assertThat(problem).contains("cover 64"));
    }

    @Test
    void aServerThatTellsNothingIsAskedByChatAndTheRunSaysWhy() throws Exception {
        server.on(
                GENERATE,
                (response, body) -> events(response, List.of(FakeSglang.event("x", 24, 1, "length", null), "[DONE]")));
        try (CellTarget cells = remote.open(server.url(), SGLANG)) {
            Answered answer = (Answered) ask(cells, Remote.prompt(cells, LENGTH));

            assertThat(answer.text()).isEqualTo("by chat");
            assertThat(answer.needle()).isEmpty();
            assertThat(cells.about().facts().get("selections")).contains("--enable-return-indexer-topk");
            assertThat(cells.about().facts().get("server info")).contains("answered 404");
        }
    }

    @Test
    void aServerWithAnotherTokenizerIsAskedByChat() throws Exception {
        server.chats("by chat");
        sglang(1, (position, layer) -> OTHERS).on(server);
        try (CellTarget cells = remote.open(server.url(), SGLANG)) {
            assertThat(cells.measure()).startsWith("calibrated");
            assertThat(((Answered) ask(cells, Remote.prompt(cells, LENGTH))).needle())
                    .isEmpty();
            assertThat(cells.about().facts().get("selections")).contains("tokenizer is not that of the model hosted");
        }
    }

    @Test
    void whateverGoesWrongIsASentence() throws Exception {
        FakeSglang sglang = sglang(1, (position, layer) -> OTHERS);
        sglang.on(server);
        try (CellTarget cells = remote.open(server.url(), SGLANG)) {
            SuitePrompt prompt = Remote.prompt(cells, LENGTH);

            AtomicInteger busy = new AtomicInteger(1);
            server.on(
                    GENERATE,
                    (response, body) -> busy.getAndDecrement() > 0
                            ? json(response, 429, "{}")
                            : events(response, sglang.answer(body)));
            assertThat(ask(cells, prompt)).isInstanceOf(Answered.class);

            server.on(GENERATE, (response, body) -> json(response, 503, "starting"));
            assertThat(error(cells, prompt)).contains("answered 503: starting (attempt 3 of 3)");
            server.on(
                    GENERATE,
                    (response, body) -> events(response, sglang.answer(body).subList(0, 2)));
            assertThat(error(cells, prompt)).contains("ended before the answer was complete, after 9 characters");
            server.on(GENERATE, (response, body) -> events(response, List.of("{\"error\":{\"message\":\"no room\"}}")));
            assertThat(error(cells, prompt)).contains("broke the answer off: no room");
            server.on(
                    GENERATE, (response, body) -> events(response, List.of(FakeSglang.event("", 9, 1, "abort", null))));
            assertThat(error(cells, prompt)).contains("broke the answer off");
            server.on(
                    GENERATE,
                    (response, body) -> events(response, List.of(FakeSglang.event("4", 9, 1, "error", null))));
            assertThat(error(cells, prompt)).contains("broke the answer off, finish reason error");
            server.on(GENERATE, (response, body) -> events(response, List.of("<html>")));
            assertThat(error(cells, prompt)).contains("no JSON");
        }
    }

    @Test
    void newTextMayBeginLikeAllTextBeforeIt() throws Exception {
        sglang(1, (position, layer) -> OTHERS).on(server);
        try (CellTarget cells = remote.open(server.url(), SGLANG)) {
            SuitePrompt prompt = Remote.prompt(cells, LENGTH);
            server.on(
                    GENERATE,
                    (response, body) -> events(
                            response,
                            List.of(
                                    FakeSglang.event("4", LENGTH, 1, null, null),
                                    FakeSglang.event("4", LENGTH, 2, null, null),
                                    FakeSglang.event("92.", LENGTH, 3, "stop", null))));

            assertThat(((Answered) ask(cells, prompt)).text()).isEqualTo("4492.");
        }
    }

    @Test
    void aServerThatFallsSilentIsNotWaitedForForever() throws Exception {
        FakeSglang sglang = sglang(1, (position, layer) -> OTHERS);
        sglang.on(server);
        Map<String, Object> impatient = new HashMap<>(SGLANG);
        impatient.putAll(Remote.IMPATIENT);
        RemoteTarget target = remote.create(server.url(), impatient);
        try (CellTarget cells =
                remote.open(target, "tokenizer of " + hosted.model().hash())) {
            SuitePrompt prompt = Remote.prompt(cells, LENGTH);
            server.on(
                    GENERATE,
                    (response, body) -> streamed(
                            response,
                            Flux.just("data: " + sglang.answer(body).get(0) + "\n\n")
                                    .concatWith(silence())));
            // Asked by chat if the busy machine took too long to tell the selections; then nothing is silent.
            server.on(CHAT, (response, body) -> silence().then());

            assertThat(error(cells, prompt)).contains("sent nothing for 1 s");
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> server.open() == 0);
    }

    @Test
    void cancellingClosesTheConnection() throws Exception {
        FakeSglang sglang = sglang(1, (position, layer) -> OTHERS);
        sglang.on(server);
        try (CellTarget cells = remote.open(server.url(), SGLANG)) {
            SuitePrompt prompt = Remote.prompt(cells, LENGTH);
            FakeServer.Stalled stalled = new FakeServer.Stalled(FakeSglang.event("The ", LENGTH, 1, null, null));
            server.on(GENERATE, stalled);
            CompletableFuture<CellAnswer> asked = cells.ask(prompt);
            await().atMost(Duration.ofSeconds(30)).until(stalled::open);

            asked.cancel(true);

            await().atMost(Duration.ofSeconds(30)).until(stalled::closed);
        }
    }

    private static String error(CellTarget cells, SuitePrompt prompt) throws Exception {
        return ((Unanswered) ask(cells, prompt)).error();
    }

    @Test
    void anAnswerCountsEvenIfItsSelectionsAreImpossible() throws Exception {
        AtomicInteger entry = new AtomicInteger(5);
        FakeSglang sglang = sglang(1, (position, layer) -> List.of(entry.get()));
        sglang.on(server);
        try (CellTarget cells = remote.open(server.url(), SGLANG)) {
            SuitePrompt prompt = Remote.prompt(cells, LENGTH);
            assertThat(((Answered) ask(cells, prompt)).needle()).isNotEmpty();
            entry.set(LENGTH);
            Answered answer = (Answered) ask(cells, prompt);

            assertThat(answer.text()).isEqualTo("The code is 4492.");
            assertThat(answer.needle()).isEmpty();
        }
    }
}
