package dev.plumbline.recall.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.plumbline.database.Database;
import dev.plumbline.recall.CellAnswer.Answered;
import dev.plumbline.recall.CellTarget;
import dev.plumbline.recall.NativeCells;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Targets over the API, and another Plumbline as one. */
@ExtendWith(OutputCaptureExtension.class)
class TargetsOverHttpTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String PATH = "/api/targets";

    private static TestServer server;
    private static NativeTarget hosted;
    private static Database database;

    /** Status and body. */
    private record Answer(int status, JsonNode json) {
        String error() {
            return json.at("/error/code").asString() + " "
                    + json.at("/error/param").asString();
        }
    }

    @BeforeAll
    static void start() {
        server = TestServer.embedded();
        hosted = server.target();
        database = TestDatabase.open();
    }

    @AfterAll
    static void stop() {
        server.close();
        database.close();
    }

    private static Answer send(TestServer as, String method, String path, Object body) throws Exception {
        HttpRequest.BodyPublisher content = body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body));
        HttpResponse<String> response = as.send(
                as.request(path).header("Content-Type", "application/json").method(method, content));
        return new Answer(response.statusCode(), JSON.readTree(response.body()));
    }

    private static Answer send(String method, String path, Object body) throws Exception {
        return send(server, method, path, body);
    }

    private static Map<String, Object> document(Map<String, Object> more) {
        return Remote.document("http://10.1.2.3:30000/v1", more);
    }

    @Test
    void aTargetIsKeptWithoutEverTellingItsKey(CapturedOutput output) throws Exception {
        Answer made = send("POST", PATH, document(Map.of("extra_body", Map.of("top_k", 1), "weights", "rev 7")));
        String path = PATH + "/" + made.json().path("id").asString();

        assertThat(made.status()).as(made.json().toString()).isEqualTo(200);
        assertThat(made.json().path("url").asString()).isEqualTo("http://10.1.2.3:30000");
        assertThat(made.json().path("has_key").asBoolean()).isTrue();
        assertThat(made.json().at("/extra_body/top_k").asInt()).isEqualTo(1);
        assertThat(made.json().path("author").asString()).isEqualTo("admin");
        assertThat(send("GET", path, null).json()).isEqualTo(made.json());
        assertThat(send("GET", PATH + "/" + made.json().path("name").asString(), null)
                        .json())
                .isEqualTo(made.json());
        assertThat(send("GET", PATH + "?limit=100", null).json().path("data").valueStream())
                .contains(made.json());
        assertThat(stored(made)).doesNotContain(Remote.KEY);
        assertThat(send("DELETE", path, null).json().path("deleted").asBoolean())
                .isTrue();
        assertThat(send("GET", path, null).error()).isEqualTo("target_not_found target");
        assertThat(send("POST", path + "/check", null).status()).isEqualTo(404);
        assertThat(made.json().toString() + output).doesNotContain(Remote.KEY);
    }

    private static String stored(Answer target) {
        byte[] sealed = database.now(client -> client.sql("SELECT sealed_key FROM recall_target WHERE id::text = :id")
                .param("id", target.json().path("id").asString())
                .query(byte[].class)
                .single());
        return new String(sealed, StandardCharsets.ISO_8859_1);
    }

    @Test
    void aKeyStaysWithTheServerItWasEnteredFor() throws Exception {
        Map<String, Object> document = document(Map.of());
        String path =
                PATH + "/" + send("POST", PATH, document).json().path("id").asString();
        document.remove("key");

        document.put("url", "http://10.1.2.3:30000/deeper");
        assertThat(send("PUT", path, document).json().path("has_key").asBoolean())
                .isTrue();
        document.put("url", "http://10.1.2.4:30000");
        assertThat(send("PUT", path, document).error()).isEqualTo("missing_required_parameter key");
        document.put("key", "");
        assertThat(send("PUT", path, document).json().path("has_key").asBoolean(true))
                .isFalse();
        document.put("name", "other-" + document.get("name"));
        assertThat(send("PUT", path, document).json().path("name").asString()).startsWith("other-");
    }

    @Test
    void whatIsWrongIsNamed() throws Exception {
        Map<String, Object> kept = document(Map.of());
        send("POST", PATH, kept);

        assertThat(send("POST", PATH, kept).status()).isEqualTo(409);
        assertThat(send("POST", PATH, kept).error()).isEqualTo("target_exists name");
        assertThat(refused("name", "Native target")).isEqualTo("invalid_value name");
        assertThat(refused("name", "native")).isEqualTo("invalid_value name");
        assertThat(refused("kind", "vllm")).isEqualTo("invalid_value kind");
        assertThat(refused("url", "http://169.254.169.254/latest")).isEqualTo("invalid_value url");
        assertThat(refused("url", "http://user:word@10.0.0.1")).isEqualTo("invalid_value url");
        assertThat(refused("key", "two\nlines")).isEqualTo("invalid_value key");
        assertThat(refused("model", " ")).isEqualTo("invalid_value model");
        assertThat(refused("extra_body", Map.of("messages", List.of()))).isEqualTo("invalid_value extra_body.messages");
        assertThat(refused("extra_body", Map.of("stream", false))).isEqualTo("invalid_value extra_body.stream");
        assertThat(refused("extra_body", "x")).isEqualTo("invalid_value extra_body");
        assertThat(refused("edges", Map.of("window", 128))).isEqualTo("missing_required_parameter edges.budget");
        assertThat(refused("edges", Map.of("window", 0, "budget", 1))).isEqualTo("invalid_value edges.window");
        assertThat(refused("parallel", 0)).isEqualTo("invalid_value parallel");
        assertThat(refused("timeouts", Map.of("silence_seconds", 9999)))
                .isEqualTo("invalid_value timeouts.silence_seconds");
        assertThat(refused("password", "x")).isEqualTo("unknown_parameter password");
    }

    private static String refused(String field, Object value) throws Exception {
        Answer answer = send("POST", PATH, document(new HashMap<>(Map.of(field, value))));
        assertThat(answer.status()).as(field).isEqualTo(400);
        return answer.error();
    }

    @Test
    void whoMayOnlyChatSeesNoTargets() throws Exception {
        Answer key = send("POST", "/api/keys", Map.of("name", "chat only", "scopes", List.of("chat")));
        TestServer chatting = server.with(key.json().path("key").asString());

        assertThat(send(chatting, "GET", PATH, null).error()).startsWith("missing_scope");
        assertThat(send(chatting, "POST", PATH, document(Map.of())).status()).isEqualTo(403);
        assertThat(send(chatting, "POST", PATH + "/x/check", null).status()).isEqualTo(403);
    }

    @Test
    void aCheckOfAnotherPlumblineFindsItReady() throws Exception {
        Answer made = send("POST", PATH, plumbline());
        Answer found = send("POST", PATH + "/" + made.json().path("name").asString() + "/check", null);

        assertThat(found.status()).isEqualTo(200);
        assertThat(found.json().path("problems")).isEmpty();
        assertThat(found.json().path("ready").asBoolean()).isTrue();
        assertThat(found.json().path("models").valueStream().map(JsonNode::asString))
                .containsExactly(hosted.name());
        assertThat(found.json().path("measure").asString())
                .isEqualTo("tokenizer of " + hosted.model().hash());
        assertThat(found.json().at("/answer/prompt_tokens").asInt()).isPositive();
        assertThat(found.json().at("/answer/total_ms").asDouble()).isPositive();
    }

    private static Map<String, Object> plumbline() {
        Edges edges = NativeCells.edges(hosted.status().config());
        return Remote.document(
                server.url(),
                Map.of(
                        "key", TestServer.KEY,
                        "model", hosted.name(),
                        "weights", hosted.model().hash(),
                        "edges", Map.of("window", edges.window(), "budget", edges.budget()),
                        "timeouts", Map.of("silence_seconds", 60, "answer_seconds", 120)));
    }

    @Test
    void anotherPlumblineGivesTheAnswersOfThisOne() throws Exception {
        try (Remote remote = new Remote(database, hosted);
                CellTarget there = remote.open(server.url(), plumbline());
                CellTarget here = NativeCells.open(hosted, hosted.active()).get(60, TimeUnit.SECONDS)) {
            assertThat(there.measure()).isEqualTo(here.measure());
            assertThat(there.about().comparable()).isEqualTo(here.about().comparable());
            assertThat(there.edges()).isEqualTo(here.edges());
            List<SuitePrompt> asked = Remote.prompts(there, 512, 4);
            assertThat(asked.stream().map(SuitePrompt::hash))
                    .isEqualTo(Remote.prompts(here, 512, 4).stream()
                            .map(SuitePrompt::hash)
                            .toList());
            for (SuitePrompt prompt : asked) {
                Answered far = (Answered) there.ask(prompt).get(60, TimeUnit.SECONDS);
                Answered near = (Answered) here.ask(prompt).get(60, TimeUnit.SECONDS);

                assertThat(far.text()).isEqualTo(near.text());
                assertThat(far.finishReason()).isEqualTo(near.finishReason());
                assertThat(far.promptTokens()).isEqualTo(near.promptTokens()).isEqualTo(512);
                assertThat(near.needle()).isNotEmpty();
            }
        }
    }

    @Test
    void withoutItsTokenizerPromptsAreNearlyAsLongAsTheyShould() throws Exception {
        try (Remote remote = new Remote(database, null);
                CellTarget there = remote.open(server.url(), plumbline())) {
            assertThat(there.measure()).startsWith("calibrated");
            for (SuitePrompt prompt : Remote.prompts(there, 700, 4)) {
                Answered answer = (Answered) there.ask(prompt).get(60, TimeUnit.SECONDS);

                assertThat(prompt.tokens()).hasSize(700);
                assertThat(answer.promptTokens()).isCloseTo(700, within(175));
            }
        }
    }
}
