package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.api.ApiRoutes;
import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The description is served, says what the parser says and what the answers look like. */
class ApiDocumentTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    /** OpenAI's fields, DeepSeek's {@code thinking}, and this server's own. */
    private static final List<String> FIELDS = List.of(
            "messages",
            "model",
            "modalities",
            "reasoning_effort",
            "verbosity",
            "max_completion_tokens",
            "frequency_penalty",
            "presence_penalty",
            "web_search_options",
            "top_logprobs",
            "response_format",
            "audio",
            "store",
            "stream",
            "stop",
            "logit_bias",
            "logprobs",
            "max_tokens",
            "n",
            "prediction",
            "seed",
            "stream_options",
            "tools",
            "tool_choice",
            "parallel_tool_calls",
            "function_call",
            "functions",
            "metadata",
            "conversation",
            "selection",
            "temperature",
            "top_p",
            "user",
            "safety_identifier",
            "prompt_cache_key",
            "prompt_cache_retention",
            "service_tier",
            "thinking",
            "moderation",
            "run_config");

    private static TestServer server;
    private static Wire wire;
    private static JsonNode document;
    private static SchemaCheck schemas;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        server = TestServer.serving(folder, 2, 8);
        wire = new Wire(server);
        HttpResponse<String> response = get("/v3/api-docs", TestServer.KEY);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        document = JSON.readTree(response.body());
        schemas = new SchemaCheck(document);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void itDescribesTheApiAndItsKey() {
        assertThat(document.path("openapi").asString()).startsWith("3.1");
        assertThat(document.at("/components/securitySchemes/bearer/scheme").asString())
                .isEqualTo("bearer");
        assertThat(document.at("/security/0/bearer").isArray()).isTrue();
    }

    /** The routes name their handlers, which this test never calls. */
    @Test
    void everyRoutedPathIsDescribedAndEveryDescribedPathRouted() {
        String routes = new ChatRoutes()
                        .openAiRoutes(
                                new ChatHandler(null, null, null, null, null, null, null, null, null, null, null),
                                new ModelsHandler(null))
                + "\n"
                + new HistoryRoutes()
                        .historyPaths(new CompletionsHandler(null, null), new ConversationsHandler(null, null))
                + "\n"
                + ApiRoutes.text();
        Set<String> routed = Pattern.compile("\\((GET|POST|PATCH|PUT|DELETE) && (/[^)]*)\\)")
                .matcher(routes)
                .results()
                .map(route -> route.group(1) + " " + route.group(2).replace("{*", "{"))
                .collect(Collectors.toSet());
        Set<String> described = new HashSet<>();
        document.path("paths").forEachEntry((path, methods) -> {
            if (!path.startsWith("/api/engine")) {
                methods.propertyNames().forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path));
            }
        });

        assertThat(routed).hasSizeGreaterThan(10).containsExactlyInAnyOrderElementsOf(described);
    }

    @Test
    void theHistoryIsAsDescribed() throws Exception {
        Api api = new Api(server);
        Api.Answer conversation = api.post("/api/conversations", Map.of("title", "t"));
        String id = conversation.text("/id");
        String completion =
                api.chat("hi", Map.of("store", true, "conversation", id)).text("/id");
        String stored = "/v1/chat/completions/" + completion;
        Map<Api.Answer, String> answers = new LinkedHashMap<>();
        answers.put(conversation, "Conversation");
        answers.put(api.patch("/api/conversations/" + id, Map.of("title", "u")), "Conversation");
        answers.put(api.get("/api/conversations"), "ConversationList");
        answers.put(api.get("/api/conversations/" + id), "WholeConversation");
        answers.put(api.get("/api/conversations/" + id + "/export"), "WholeConversation");
        answers.put(api.get("/v1/chat/completions"), "StoredCompletionList");
        answers.put(api.get(stored), "StoredCompletion");
        answers.put(api.get(stored + "/messages"), "StoredMessageList");
        answers.put(api.post(stored, Map.of("metadata", Map.of("a", "b"))), "StoredCompletion");
        answers.put(api.delete(stored), "Deleted");
        answers.put(api.delete("/api/conversations/" + id), "Deleted");

        answers.forEach((answer, schema) -> {
            assertThat(answer.status()).as(schema).isEqualTo(200);
            assertThat(schemas.problems(schema, answer.json())).as(schema).isEmpty();
        });
    }

    @Test
    void whatIsDocumentedAsIgnoredChangesNothing() throws Exception {
        String documented = Files.readString(Path.of("docs/api.md"))
                .lines()
                .filter(line -> line.startsWith("Accepted and ignored"))
                .findFirst()
                .orElseThrow();
        Map<String, Object> ignored = Map.of(
                "user", "u",
                "service_tier", "flex",
                "prompt_cache_key", "k",
                "prompt_cache_retention", "24h",
                "safety_identifier", "s",
                "parallel_tool_calls", false);
        Api api = new Api(server);
        String plain = api.chat("hi", Map.of("seed", 4)).text("/choices/0/message/content");
        Map<String, Object> all = new LinkedHashMap<>(ignored);
        all.put("seed", 4);

        assertThat(documented).contains(ignored.keySet()).contains("include_obfuscation", "`name` of a message");
        assertThat(Pattern.compile("`[a-z_.]+`").matcher(documented).results()).hasSize(ignored.size() + 2);
        assertThat(api.chat("hi", all).text("/choices/0/message/content")).isEqualTo(plain);
    }

    @Test
    void itKnowsTheFieldsThatTheParserKnows() throws Exception {
        JsonNode properties = schemas.schema("CreateChatCompletionRequest").path("properties");
        for (String field : FIELDS) {
            // A value that is wrong for every field that is read.
            String more = ",\"" + field + "\":[[7]]";
            String body = new String(wire.body("hi", 1, false, ""), StandardCharsets.UTF_8);
            String without = body.replaceFirst("\"" + field + "\":(\\[[^]]*]|[^,}]*),?", "");
            String sent = without.replaceFirst(",?}$", more + "}");
            JsonNode error = JSON.readTree(
                            server.chat(sent.getBytes(StandardCharsets.UTF_8)).body())
                    .path("error");

            assertThat(error.path("param").asString()).as(sent).startsWith(field);
            boolean honoured = !List.of("unknown_parameter", "unsupported_parameter")
                    .contains(error.path("code").asString());
            assertThat(properties.has(field)).as(field + ": " + error).isEqualTo(honoured);
        }
        assertThat(FIELDS).containsAll(properties.propertyNames());
    }

    @Test
    void answersAreAsDescribed() throws Exception {
        for (String more : new String[] {
            "",
            ",\"n\":2,\"logprobs\":true,\"top_logprobs\":20,\"stop\":\"a\"",
            ",\"thinking\":{\"type\":\"enabled\"}",
            ",\"selection\":{\"queries\":\"all\",\"watch\":[\"hi\",\"absent\"],\"entries\":true}"
        }) {
            assertThat(schemas.problems(
                            "ChatCompletion",
                            JSON.readTree(
                                    server.chat(wire.body("hi", 9, false, more)).body())))
                    .isEmpty();
            String options = more + ",\"stream_options\":{\"include_usage\":true}";
            for (String frame :
                    server.chat(wire.body("hi", 9, true, options)).body().split("\n\n")) {
                if (!frame.equals("data: [DONE]")) {
                    assertThat(schemas.problems("ChatCompletionChunk", JSON.readTree(frame.substring(6))))
                            .isEmpty();
                }
            }
        }
        assertThat(schemas.problems(
                        "ModelList",
                        JSON.readTree(get("/v1/models", TestServer.KEY).body())))
                .isEmpty();
        assertThat(schemas.problems(
                        "Engine",
                        JSON.readTree(get("/api/engine", TestServer.KEY).body())))
                .isEmpty();
        assertThat(schemas.problems(
                        "EmbeddedModelList",
                        JSON.readTree(get("/api/engine/models", TestServer.KEY).body())))
                .isEmpty();
        for (HttpResponse<String> refused : List.of(
                get("/v1/models", null), get("/nowhere", TestServer.KEY), server.chat(wire.body("hi", 0, false, "")))) {
            assertThat(schemas.problems("ErrorResponse", JSON.readTree(refused.body())))
                    .isEmpty();
        }
    }

    @Test
    void accountsAreAsDescribed() throws Exception {
        Map<String, Object> user = Map.of(
                "name", "u" + UUID.randomUUID(), "password", "correct horse", "scopes", List.of("chat", "admin"));
        Map<String, Object> key = Map.of(
                "name", "k", "scopes", List.of("chat"), "rate_limit_per_minute", 5, "expires_at", 4_000_000_000L);
        Api api = new Api(server);

        assertThat(schemas.problems("NewUser", JSON.valueToTree(user))).isEmpty();
        assertThat(schemas.problems("NewApiKey", JSON.valueToTree(key))).isEmpty();
        assertThat(schemas.problems("User", api.post("/api/users", user).json()))
                .isEmpty();
        assertThat(schemas.problems("ApiKey", api.post("/api/keys", key).json()))
                .isEmpty();
        assertThat(schemas.problems("UserList", api.get("/api/users").json())).isEmpty();
        assertThat(schemas.problems("ApiKeyList", api.get("/api/keys").json())).isEmpty();
    }

    @Test
    void costsAreAsDescribed() throws Exception {
        Api api = new Api(server);

        assertThat(schemas.problems(
                        "RunConfigCost",
                        api.get("/api/run-configs/fp8-index/cost").json()))
                .isEmpty();
        assertThat(schemas.problems(
                        "RunConfigCost",
                        api.post("/api/run-configs/cost", Map.of()).json()))
                .isEmpty();
    }

    @Test
    void runsAreAsDescribed() throws Exception {
        Map<String, Object> wish = Map.of("suite", "smoke", "run_config", "baseline", "seeds", List.of(3));
        Api api = new Api(server);

        assertThat(schemas.problems("NewRun", JSON.valueToTree(wish))).isEmpty();
        Api.Answer run = api.post("/api/runs", wish);
        assertThat(schemas.problems("Run", run.json())).isEmpty();
        String cells = run.text("/links/cells");
        await().until(() ->
                api.get(run.text("/links/self")).json().at("/cells/missing").asInt() < 384);
        assertThat(schemas.problems(
                        "Run", api.post(run.text("/links/cancel"), Map.of()).json()))
                .isEmpty();
        assertThat(schemas.problems("RunList", api.get("/api/runs").json())).isEmpty();
        Api.Answer list = api.get(cells + "?limit=1000");
        assertThat(schemas.problems("RunCellList", list.json())).isEmpty();
        assertThat(schemas.problems(
                        "RunCellWithPrompt",
                        api.get(cells + "/" + list.text("/last_id")).json()))
                .isEmpty();
        assertThat(schemas.problems(
                        "Deleted", api.delete(run.text("/links/self")).json()))
                .isEmpty();
    }

    @Test
    void comparisonsAreAsDescribed() throws Exception {
        Api api = new Api(server);
        Map<String, Object> stratum = Map.of(
                "name",
                "short",
                "task",
                "single",
                "lengths",
                List.of(1000),
                "placements",
                List.of("start"),
                "haystacks",
                1,
                "questions",
                1);
        api.post("/api/suites", Map.of("name", "described", "strata", List.of(stratum)));
        Map<String, Object> wish = Map.of("suite", "described", "baseline", "baseline", "candidate", "fp8-index");

        assertThat(schemas.problems("NewComparison", JSON.valueToTree(wish))).isEmpty();
        Api.Answer started = api.post("/api/comparisons", wish);
        assertThat(schemas.problems("Comparison", started.json())).isEmpty();
        String path = started.text("/links/self");
        await().atMost(Duration.ofMinutes(2))
                .until(() -> api.get(path).text("/state").matches("finished|failed"));
        JsonNode whole = api.get(path).json();
        assertThat(schemas.problems("WholeComparison", whole)).isEmpty();
        assertThat(schemas.problems("ComparisonReport", whole.path("report")))
                .as(whole.toString())
                .isEmpty();
        assertThat(schemas.problems(
                        "ComparisonList", api.get("/api/comparisons").json()))
                .isEmpty();
        String runs = "?baseline=" + started.text("/runs/baseline") + "&candidate=" + started.text("/runs/candidate");
        assertThat(schemas.problems(
                        "ComparisonReport", api.get("/api/compare" + runs).json()))
                .isEmpty();
    }

    @Test
    void runConfigsAreAsDescribed() throws Exception {
        Map<String, Object> config =
                Map.of("name", "described", "profile", Map.of("index_topk", 7), "sampling", Map.of("temperature", 0.5));
        Map<String, Object> wish = Map.of("reason", "to see the answer", "wait_seconds", 60);
        Api api = new Api(server);

        assertThat(schemas.problems("NewRunConfig", JSON.valueToTree(config))).isEmpty();
        assertThat(schemas.problems("ActivationWish", JSON.valueToTree(wish))).isEmpty();
        Map<String, String> answers = new LinkedHashMap<>();
        answers.put("/api/run-configs", "RunConfigList");
        answers.put("/api/run-configs/described/versions", "RunConfigList");
        answers.put("/api/run-configs/described", "RunConfig");
        answers.put("/api/run-configs/diff?a=baseline&b=described", "RunConfigDiff");
        answers.put("/api/activations", "ActivationList");
        assertThat(schemas.problems(
                        "RunConfig", api.post("/api/run-configs", config).json()))
                .isEmpty();
        Api.Answer active = api.post("/api/run-configs/baseline/activate", wish);
        assertThat(schemas.problems("WholeActivation", active.json())).isEmpty();
        assertThat(active.json().at("/instances/0/proof/flags")).hasSize(16);
        for (Map.Entry<String, String> answer : answers.entrySet()) {
            assertThat(schemas.problems(
                            answer.getValue(), api.get(answer.getKey()).json()))
                    .as(answer.getKey())
                    .isEmpty();
        }
    }

    @Test
    void requestsAreAsDescribed() {
        String more = ",\"n\":2,\"stop\":[\"a\"],\"logit_bias\":{\"5\":1},\"metadata\":{\"a\":\"b\"},\"user\":null"
                + ",\"selection\":{\"queries\":\"last\",\"layers\":[1],\"stage\":null}";
        JsonNode request = JSON.readTree(wire.body("hi", 9, false, more));

        assertThat(schemas.problems("CreateChatCompletionRequest", request)).isEmpty();
        assertThat(schemas.problems(
                        "CreateChatCompletionRequest", JSON.readTree(wire.body("hi", 9, false, ",\"top_k\":1"))))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v3/api-docs", "/v3/api-docs.yaml", "/v3/api-docs/swagger-config"})
    void theDescriptionNeedsTheKey(String path) throws Exception {
        assertThat(get(path, null).statusCode()).isEqualTo(401);
        assertThat(get(path, TestServer.KEY).statusCode()).isEqualTo(200);
    }

    @Test
    void thePageIsOpenAndRunsOnlyItsOwnScripts() throws Exception {
        HttpResponse<String> page = get("/swagger-ui/index.html", null);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("swagger-initializer.js");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        for (String asset :
                new String[] {"swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "swagger-ui.css"}) {
            assertThat(get("/swagger-ui/" + asset, null).statusCode()).as(asset).isEqualTo(200);
        }
        HttpResponse<String> script = get("/swagger-ui/swagger-initializer.js", null);
        assertThat(script.body()).contains("Bearer").doesNotContain(TestServer.KEY);
        assertThat(script.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/javascript");
        assertThat(get("/swagger-ui/../v1/models", null).statusCode()).isNotEqualTo(200);
        assertThat(get("/swagger-ui/nothing.js", null).statusCode()).isEqualTo(404);
    }

    private static HttpResponse<String> get(String path, String key) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path));
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
