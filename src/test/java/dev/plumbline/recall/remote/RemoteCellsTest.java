package dev.plumbline.recall.remote;

import static dev.plumbline.recall.remote.FakeServer.CHAT;
import static dev.plumbline.recall.remote.FakeServer.chat;
import static dev.plumbline.recall.remote.FakeServer.chunk;
import static dev.plumbline.recall.remote.FakeServer.events;
import static dev.plumbline.recall.remote.FakeServer.json;
import static dev.plumbline.recall.remote.FakeServer.silence;
import static dev.plumbline.recall.remote.FakeServer.streamed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.plumbline.database.Database;
import dev.plumbline.recall.CellAnswer;
import dev.plumbline.recall.CellAnswer.Answered;
import dev.plumbline.recall.CellAnswer.Unanswered;
import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.CellTarget;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.testing.TestDatabase;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Cells asked of a server that does everything a server can do wrong. */
class RemoteCellsTest {
    private static Database database;
    private static Remote remote;
    private FakeServer server;

    @BeforeAll
    static void start() {
        database = TestDatabase.open();
        remote = new Remote(database, null);
    }

    @AfterAll
    static void stop() {
        remote.close();
        database.close();
    }

    @BeforeEach
    void serve() {
        server = new FakeServer().chats("The code is 4492.");
    }

    @AfterEach
    void end() {
        server.close();
    }

    private static CellAnswer answer(CellTarget cells, SuitePrompt prompt) throws Exception {
        return cells.ask(prompt).get(30, TimeUnit.SECONDS);
    }

    @Test
    void anAnswerComesWithItsTimesAndCounts() throws Exception {
        try (CellTarget cells = remote.open(server.url() + "/prefix/v1/", Map.of())) {
            SuitePrompt prompt = Remote.prompt(cells, 300);
            Answered answered = (Answered) answer(cells, prompt);

            assertThat(answered.text()).isEqualTo("The code is 4492.");
            assertThat(answered.finishReason()).isEqualTo("stop");
            assertThat(answered.truncated()).isFalse();
            assertThat(answered.answerTokens()).isEqualTo(5);
            assertThat(answered.promptTokens()).isCloseTo(300, within(3));
            assertThat(answered.firstTokenMillis()).isPositive().isLessThanOrEqualTo(answered.totalMillis());
            assertThat(answered.needle()).isEmpty();
            assertThat(cells.flags()).isEmpty();
            assertThat(cells.parallel()).isEqualTo(4);
            assertThat(cells.edges().budget()).isEqualTo(256);
        }
    }

    @Test
    void requestsAskForTheMostProbableAnswerAndCarryKeyAndExtraFields() throws Exception {
        Map<String, Object> extra = Map.of("chat_template_kwargs", Map.of("thinking", false), "top_k", 1);
        try (CellTarget cells = remote.open(server.url(), Map.of("extra_body", extra))) {
            SuitePrompt prompt = Remote.prompt(cells, 300);
            answer(cells, prompt);

            FakeServer.Seen last = server.seen().get(server.seen().size() - 1);
            JsonNode body = last.body();
            assertThat(last.authorization()).isEqualTo("Bearer " + Remote.KEY);
            assertThat(body.path("temperature").asInt(-1)).isZero();
            assertThat(body.path("max_tokens").asInt()).isEqualTo(CellRunner.ANSWER_TOKENS);
            assertThat(body.path("stream").asBoolean()).isTrue();
            assertThat(body.at("/stream_options/include_usage").asBoolean()).isTrue();
            assertThat(body.at("/chat_template_kwargs/thinking").asBoolean(true))
                    .isFalse();
            assertThat(body.path("top_k").asInt()).isEqualTo(1);
            assertThat(body.path("model").asString()).isEqualTo("m");
            assertThat(body.at("/messages/0/role").asString()).isEqualTo("user");
            assertThat(body.at("/messages/0/content").asString())
                    .isEqualTo(prompt.turns().get(0).content());
            assertThat(cells.about().facts().get("extra body")).isEqualTo("chat_template_kwargs, top_k");
            assertThat(cells.about().facts().toString()).doesNotContain("thinking", Remote.KEY, "127.0.0.1");
        }
    }

    @Test
    void reasoningIsNoPartOfTheAnswerButItsFirstTokenCounts() throws Exception {
        try (CellTarget cells = remote.open(server.url(), Map.of())) {
            SuitePrompt prompt = Remote.prompt(cells, 300);
            server.on(
                    CHAT,
                    (response, body) -> events(
                            response,
                            List.of(
                                    chunk("\"reasoning_content\":\"Hm, 4492?\"", null),
                                    chunk("\"content\":\"No.\"", "length"),
                                    "[DONE]")));
            Answered answered = (Answered) answer(cells, prompt);

            assertThat(answered.text()).isEqualTo("No.");
            assertThat(answered.truncated()).isTrue();
            assertThat(answered.firstTokenMillis()).isPositive();
            assertThat(answered.promptTokens()).isZero();
        }
    }

    @Test
    void aServerThatIsBusyForAMomentIsAskedAgainWhenItSays() throws Exception {
        try (CellTarget cells = remote.open(server.url(), Map.of())) {
            SuitePrompt prompt = Remote.prompt(cells, 300);
            AtomicInteger busy = new AtomicInteger(2);
            long before = server.chatsAsked();
            server.on(
                    CHAT,
                    (response, body) -> busy.getAndDecrement() > 0
                            ? json(
                                    response.header(HttpHeaderNames.RETRY_AFTER, "1"),
                                    429,
                                    "{\"error\":{\"message\":\"full\"}}")
                            : events(response, chat(body, "yes")));
            long begun = System.nanoTime();

            assertThat(answer(cells, prompt)).isInstanceOf(Answered.class);
            assertThat(server.chatsAsked() - before).isEqualTo(3);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(2));
        }
    }

    @Test
    void aServerThatStaysUnavailableIsGivenUp() throws Exception {
        try (CellTarget cells = remote.open(server.url(), Map.of())) {
            SuitePrompt prompt = Remote.prompt(cells, 300);
            long before = server.chatsAsked();
            server.on(CHAT, (response, body) -> json(response, 503, "{\"message\":\"loading the model\"}"));

            assertThat(answer(cells, prompt)).isInstanceOfSatisfying(Unanswered.class, none -> assertThat(none.error())
                    .contains("answered 503: loading the model")
                    .contains("attempt 3 of 3"));
            assertThat(server.chatsAsked() - before).isEqualTo(3);
        }
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                failing(
                        "a long Retry-After",
                        "wants to be asked again in 3600 s",
                        (response, body) -> json(response.header(HttpHeaderNames.RETRY_AFTER, "3600"), 429, "{}")),
                failing(
                        "a refusal",
                        "answered 400: too long",
                        (response, body) -> json(response, 400, "{\"error\":{\"message\":\"too long\"}}")),
                failing(
                        "an echo of the key",
                        "answered 401: no such key [key]",
                        (response, body) -> json(response, 401, "no such key " + Remote.KEY)),
                failing(
                        "a redirect",
                        "answered 302; redirects are not followed",
                        (response, body) -> response.sendRedirect("http://127.0.0.1:1/")),
                failing(
                        "a stream without its end",
                        "ended before the answer was complete, after 8 characters",
                        (response, body) -> events(response, List.of(chunk("\"content\":\"The code\"", null)))),
                failing("a broken connection", "", (response, body) -> streamed(
                                response, Flux.just("data: " + chunk("\"content\":\"a\"", null) + "\n\n"))
                        .then(Mono.fromRunnable(() -> response.withConnection(
                                connection -> connection.channel().close())))
                        .then(Mono.never())),
                failing(
                        "an event that is no JSON",
                        "an event that is no JSON: <html>",
                        (response, body) -> events(response, List.of("<html>"))),
                failing(
                        "an event that is no object",
                        "an event that is no object: [4492]",
                        (response, body) -> events(response, List.of("[4492]"))),
                failing(
                        "an error in the stream",
                        "broke the answer off: out of memory",
                        (response, body) -> events(response, List.of("{\"error\":{\"message\":\"out of memory\"}}"))),
                failing(
                        "a filter",
                        "broke the answer off, finish reason content_filter",
                        (response, body) ->
                                events(response, List.of(chunk("\"content\":\"The\"", "content_filter"), "[DONE]"))),
                failing(
                        "no stream",
                        "answered with application/json instead of text/event-stream",
                        (response, body) -> json(response, 200, "{\"choices\":[]}")),
                failing(
                        "no content type",
                        "no content type instead of text/event-stream",
                        (response, body) -> response.sendString(Mono.just("hello"))),
                failing(
                        "an answer without limit",
                        "ignore the token limit",
                        (response, body) -> events(
                                response,
                                Collections.nCopies(300, chunk("\"content\":\"" + "x".repeat(1000) + "\"", null)))),
                failing(
                        "an event without limit",
                        "more than " + ServerClient.MOST_BYTES + " bytes",
                        (response, body) -> streamed(
                                response,
                                Flux.just("data: ")
                                        .concatWith(
                                                Flux.just("x".repeat(1 << 16)).repeat(100)))));
    }

    static Stream<Arguments> timeouts() {
        return Stream.of(
                failing("silence", "sent nothing for 1 s", (response, body) -> silence()
                        .then()),
                failing(
                        "silence after a while",
                        "sent nothing for 1 s",
                        (response, body) -> streamed(
                                response,
                                Flux.just("data: " + chunk("\"content\":\"a\"", null) + "\n\n")
                                        .concatWith(silence()))),
                failing(
                        "comments for ever",
                        "no whole answer within 3 s",
                        (response, body) -> streamed(
                                response, Flux.interval(Duration.ofMillis(200)).map(tick -> ": waiting\n\n"))));
    }

    private static Arguments failing(String what, String error, FakeServer.Behaviour behaviour) {
        return Arguments.of(what, error, behaviour);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void whateverGoesWrongIsASentenceAndLeavesNoConnection(String what, String error, FakeServer.Behaviour behaviour)
            throws Exception {
        try (CellTarget cells = remote.open(server.url(), Map.of())) {
            SuitePrompt prompt = Remote.prompt(cells, 300);
            server.on(CHAT, behaviour);

            assertThat(answer(cells, prompt)).isInstanceOfSatisfying(Unanswered.class, none -> assertThat(none.error())
                    .startsWith("target t-")
                    .contains(error)
                    .doesNotContain(Remote.KEY)
                    .doesNotContain("Exception"));
        }
        await(() -> server.open() == 0);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("timeouts")
    void noServerIsWaitedForForever(String what, String error, FakeServer.Behaviour behaviour) throws Exception {
        RemoteTarget impatient = remote.create(server.url(), Remote.IMPATIENT);
        // Measured before, since that takes a while on a busy machine.
        try (CellTarget cells = remote.open(impatient, PromptMeasure.rough().measure())) {
            SuitePrompt prompt = Remote.prompt(cells, 300);
            server.on(CHAT, behaviour);

            assertThat(answer(cells, prompt)).isInstanceOfSatisfying(Unanswered.class, none -> assertThat(none.error())
                    .contains(error));
        }
        await(() -> server.open() == 0);
    }

    @Test
    void aServerThatGoesAwayGivesErrorsAndNoHang() throws Exception {
        try (CellTarget cells = remote.open(server.url(), Map.of())) {
            SuitePrompt prompt = Remote.prompt(cells, 300);
            server.close();

            assertThat(answer(cells, prompt)).isInstanceOfSatisfying(Unanswered.class, none -> assertThat(none.error())
                    .contains("refused the connection"));
        }
    }

    @Test
    void cellsOfAServerThatWasNeverThereAreErrorsThatSayWhy() throws Exception {
        String url;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            url = "http://127.0.0.1:" + free.getLocalPort();
        }
        RemoteTarget target = remote.create(url, Map.of());
        try (CellTarget cells = remote.open(target, null)) {
            assertThat(answer(cells, Remote.prompt(cells, 300)))
                    .isInstanceOfSatisfying(Unanswered.class, none -> assertThat(none.error())
                            .contains("could not be measured when the run began")
                            .contains("refused the connection"));
            assertThat(cells.about().facts()).containsEntry("server", "it refused the connection");
            // As after a restart.
            try (CellTarget again = remote.open(target, cells.measure())) {
                assertThat(answer(again, Remote.prompt(again, 300))).isInstanceOf(Unanswered.class);
            }
        }
    }

    @Test
    void cancellingClosesTheConnection() throws Exception {
        try (CellTarget cells = remote.open(server.url(), Map.of("timeouts", Map.of("silence_seconds", 60)))) {
            FakeServer.Stalled stalled = new FakeServer.Stalled(chunk("\"content\":\"a\"", null));
            server.on(CHAT, stalled);
            CompletableFuture<CellAnswer> asked = cells.ask(Remote.prompt(cells, 300));
            await(stalled::open);

            asked.cancel(true);

            await(stalled::closed);
        }
    }

    @Test
    void closingEndsWhatIsBeingAsked() throws Exception {
        CellTarget cells = remote.open(server.url(), Map.of("timeouts", Map.of("silence_seconds", 60)));
        server.on(CHAT, (response, body) -> silence().then());
        long before = server.chatsAsked();
        CompletableFuture<CellAnswer> asked = cells.ask(Remote.prompt(cells, 300));
        await(() -> server.chatsAsked() > before);

        cells.close();

        assertThat(asked.get(10, TimeUnit.SECONDS)).isInstanceOf(Unanswered.class);
        await(() -> server.open() == 0);
    }

    @Test
    void aServerWithoutItsTokenizerIsMeasuredByWhatItCounts() {
        try (CellTarget cells = remote.open(server.url(), Map.of())) {
            assertThat(cells.measure())
                    .matches(
                            "calibrated: 0\\.2[45]\\d{3} tokens per character, [67]\\.\\d\\d per message, .* per prompt");
            assertThat(cells.about().facts().get("lengths")).contains("deviates by at most 0.");
            // Texts of equal measures are equal, whoever made them.
            assertThat(PromptMeasure.named(cells.measure(), null).codec()).isEqualTo(cells.codec());
            for (int length : new int[] {160, 161, 1024, 4097}) {
                SuitePrompt prompt = Remote.prompt(cells, length);
                Map<String, Object> message =
                        Map.of("content", prompt.turns().get(0).content());
                JsonNode body = JsonMapper.shared().valueToTree(Map.of("messages", List.of(message)));
                assertThat(prompt.tokens()).hasSize(length);
                assertThat(FakeServer.promptTokens(body)).isCloseTo(length, within(2 + length / 200));
            }
        }
    }

    @Test
    void theSamePromptsCanBeAskedOfAnotherServer() throws Exception {
        try (FakeServer other = new FakeServer().chats("another")) {
            RemoteTarget second = remote.create(other.url(), Map.of("weights", "w"));
            try (CellTarget cells = remote.open(server.url(), Map.of("weights", "w"));
                    CellTarget same = remote.open(second, cells.measure())) {
                long asked = other.chatsAsked();
                List<SuitePrompt> ours = Remote.prompts(cells, 500, 3);
                List<SuitePrompt> theirs = Remote.prompts(same, 500, 3);

                assertThat(asked).as("nothing is measured anew").isZero();
                assertThat(theirs.stream().map(SuitePrompt::hash))
                        .isEqualTo(ours.stream().map(SuitePrompt::hash).toList());
                assertThat(same.measure()).isEqualTo(cells.measure());
                assertThat(same.about().comparable())
                        .isEqualTo(cells.about().comparable())
                        .isEqualTo("w");
                assertThat(((Answered) answer(same, theirs.get(0))).text()).isEqualTo("another");
            }
        }
    }

    @Test
    void aServerThatCountsNothingCannotBeMeasured() throws Exception {
        server.on(CHAT, (response, body) -> events(response, List.of(chunk("\"content\":\"5\"", "stop"), "[DONE]")));
        RemoteTarget target = remote.create(server.url(), Map.of());
        try (CellTarget cells = remote.open(target, null)) {
            assertThat(cells.measure()).contains("does not say how many tokens a prompt has");
        }
        assertThat(remote.check(target).problems())
                .singleElement()
                .asString()
                .contains("prompts of several lengths")
                .contains("does not say how many tokens a prompt has");
    }

    @Test
    void aCheckSaysWhatItFound() {
        Map<String, Object> wrong = new LinkedHashMap<>(Map.of("model", "n"));
        TargetCheck found = remote.check(remote.create(server.url(), wrong));

        assertThat(found.models()).containsExactly("m");
        assertThat(found.problems()).containsExactly("The server does not list the model 'n'; it lists m.");
        assertThat(found.answer().text()).isEqualTo("The code is 4492.");
        assertThat(found.answer().promptTokens()).isPositive();
        assertThat(found.measure()).startsWith("calibrated");
        assertThat(found.selections()).contains("not told");
        assertThat(remote.check(remote.create(server.url(), Map.of())).problems())
                .isEmpty();
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition);
    }
}
