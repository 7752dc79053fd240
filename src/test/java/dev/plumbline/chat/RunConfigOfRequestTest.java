package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The run config of a request: chosen by it, and named by everything that comes of it. */
class RunConfigOfRequestTest {
    private static final String HEADER = "X-Plumbline-Run-Config";
    private static final JsonMapper JSON = JsonMapper.shared();

    private static TestServer server;
    private static Api api;
    private static Wire wire;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        server = TestServer.loading(TestDatabase.empty(), TestServer.KEY);
        server.load(folder, 8, 64);
        api = new Api(server);
        wire = new Wire(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> chat(String header, Map<String, ?> more) throws Exception {
        HttpRequest.Builder request = server.request("/v1/chat/completions")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(api.chatBody("hi", more))));
        return server.send(header == null ? request : request.header(HEADER, header));
    }

    @Test
    void bodyAndHeaderChooseAndTheAnswerNamesIt() throws Exception {
        HttpResponse<String> served = chat(null, Map.of());
        HttpResponse<String> inBody = chat(null, Map.of("run_config", "fp32-index"));
        HttpResponse<String> inHeader = chat("double-budget@1", Map.of());
        HttpResponse<String> inBoth = chat("fp32-index", Map.of("run_config", "fp32-index"));

        assertThat(name(served)).isEqualTo("baseline@1");
        assertThat(name(inBody)).isEqualTo("fp32-index@1");
        assertThat(name(inHeader)).isEqualTo("double-budget@1");
        assertThat(name(inBoth)).isEqualTo("fp32-index@1");
        assertThat(JSON.readTree(inBody.body()).path("system_fingerprint").asString())
                .contains("fp32-index@1")
                .isNotEqualTo(
                        JSON.readTree(served.body()).path("system_fingerprint").asString());
    }

    /** What an answer and its header agree on. */
    private static String name(HttpResponse<String> answer) {
        String name = JSON.readTree(answer.body()).at("/plumbline/run_config").asString();
        assertThat(answer.headers().firstValue(HEADER)).hasValue(name);
        return name;
    }

    @Test
    void contradictionsAndUnknownNamesAreRefused() throws Exception {
        JsonNode both = error(chat("baseline", Map.of("run_config", "fp32-index")), 400);
        assertThat(both.path("param").asString()).isEqualTo("run_config");
        assertThat(both.path("message").asString()).contains("baseline", "fp32-index");

        JsonNode unknown = error(chat(null, Map.of("run_config", "fp32-indx")), 404);
        assertThat(unknown.path("code").asString()).isEqualTo("run_config_not_found");
        assertThat(unknown.path("message").asString()).contains("fp32-indx", "near it are: fp32-index");
        assertThat(error(chat(null, Map.of("run_config", "fp32-index@7")), 404)
                        .path("message")
                        .asString())
                .contains("no version 7");
        error(chat("x y", Map.of()), 400);
        JsonNode twice = error(
                server.send(server.request("/v1/chat/completions")
                        .header("Content-Type", "application/json")
                        .header(HEADER, "fp32-index")
                        .header(HEADER, "double-budget")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                JSON.writeValueAsString(api.chatBody("hi", Map.of()))))),
                400);
        assertThat(twice.path("param").asString()).isEqualTo(HEADER);
        assertThat(twice.path("message").asString()).contains("fp32-index', 'double-budget", "one run config");
        error(chat(null, Map.of("run_config", 7)), 400);
    }

    private static JsonNode error(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return JSON.readTree(answer.body()).path("error");
    }

    @Test
    void everyChunkAndEverythingStoredNamesIt() throws Exception {
        String conversation = api.post("/api/conversations", Map.of()).text("/id");
        String more = ",\"store\":true,\"conversation\":\"" + conversation + "\",\"run_config\":\"fp32-index\"";
        HttpResponse<String> stream = server.chat(wire.body("hi", 5, true, more));
        List<JsonNode> chunks = chunks(stream.body());

        assertThat(stream.headers().firstValue(HEADER)).hasValue("fp32-index@1");
        assertThat(chunks).hasSizeGreaterThan(2).allSatisfy(chunk -> assertThat(
                        chunk.at("/plumbline/run_config").asString())
                .isEqualTo("fp32-index@1"));
        api.chat("and", Map.of("conversation", conversation));
        String id = chunks.get(0).path("id").asString();
        assertThat(api.get("/v1/chat/completions/" + id).text("/plumbline/run_config"))
                .isEqualTo("fp32-index@1");
        assertThat(api.get("/v1/chat/completions/" + id + "/messages").each("run_config"))
                .containsExactly("fp32-index@1");
        JsonNode export =
                api.get("/api/conversations/" + conversation + "/export").json();
        assertThat(export.path("turns").valueStream().map(turn -> turn.path("run_config")
                        .asString()))
                .containsExactly("fp32-index@1", "fp32-index@1", "baseline@1", "baseline@1");
    }

    private static List<JsonNode> chunks(String stream) {
        assertThat(stream).endsWith("data: [DONE]\n\n");
        List<JsonNode> chunks = new ArrayList<>();
        for (String frame : stream.split("\n\n")) {
            if (frame.startsWith("data: {")) {
                chunks.add(JSON.readTree(frame.substring(6)));
            }
        }
        return chunks;
    }

    @Test
    void itsSamplingFillsWhatARequestLeavesOutAndNothingElse() throws Exception {
        api.post(
                "/api/run-configs",
                Map.of("name", "greedy", "sampling", Map.of("temperature", 0, "max_completion_tokens", 4, "top_p", 0)));
        Map<String, Object> endless = Map.of("logit_bias", Map.of("1", -100), "run_config", "greedy");
        String body = JSON.writeValueAsString(withoutLimit(endless));
        JsonNode one =
                JSON.readTree(server.chat(body.getBytes(StandardCharsets.UTF_8)).body());
        JsonNode again =
                JSON.readTree(server.chat(body.getBytes(StandardCharsets.UTF_8)).body());
        JsonNode greedy = api.chat("hi", Map.of("logit_bias", Map.of("1", -100), "temperature", 0, "max_tokens", 4))
                .json();
        JsonNode own = api.chat("hi", Map.of("logit_bias", Map.of("1", -100), "max_tokens", 2, "run_config", "greedy"))
                .json();

        assertThat(one.at("/usage/completion_tokens").asInt()).isEqualTo(4);
        assertThat(one.at("/choices/0/message/content"))
                .isEqualTo(again.at("/choices/0/message/content"))
                .isEqualTo(greedy.at("/choices/0/message/content"));
        assertThat(own.at("/usage/completion_tokens").asInt()).isEqualTo(2);
    }

    private static Map<String, Object> withoutLimit(Map<String, Object> more) {
        Map<String, Object> body = api.chatBody("hi", more);
        body.remove("max_tokens");
        return body;
    }

    @Test
    void whileStreamsRunTheActiveConfigChangesAndEachStreamKeepsItsOwn() throws Exception {
        List<CompletableFuture<String>> streams = new ArrayList<>();
        byte[] endless = wire.body("go on", 600, true, ",\"logit_bias\":{\"1\":-100}");
        List<String> configs = List.of("fp32-index", "double-budget", "baseline");
        for (int i = 0; i < 24; i++) {
            streams.add(CompletableFuture.supplyAsync(() -> body(endless)));
            if (i % 4 == 3) {
                String config = configs.get(i / 4 % 3);
                Api.Answer activation =
                        api.post("/api/run-configs/" + config + "/activate", Map.of("reason", "under streams"));
                assertThat(activation.status()).as(activation.json().toString()).isEqualTo(200);
                assertThat(name(chat(null, Map.of()))).isEqualTo(config + "@1");
            }
        }
        for (CompletableFuture<String> stream : streams) {
            List<JsonNode> chunks = chunks(stream.join());
            assertThat(chunks).allSatisfy(chunk -> assertThat(chunk.path("plumbline"))
                    .isEqualTo(chunks.get(0).path("plumbline")));
            assertThat(chunks.get(chunks.size() - 1)
                            .at("/choices/0/finish_reason")
                            .asString())
                    .isEqualTo("length");
        }
        api.post("/api/run-configs/baseline/activate", Map.of("reason", "as before"));
    }

    private static String body(byte[] request) {
        try {
            return server.chat(request).body();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
