package dev.plumbline.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.TinyModel;
import dev.plumbline.testing.TestServer;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code GET /api/engine} says before, during and after an answer. */
class EngineApiTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String ENDLESS =
            "{\"model\":\"tiny\",\"stream\":true," + "\"messages\":[{\"role\":\"user\",\"content\":\"go on\"}]}";

    @TempDir
    Path folder;

    @Test
    void itSaysSoWhileTheModelIsLoading() throws Exception {
        try (TestServer server = TestServer.loading()) {
            JsonNode engine = engine(server);

            assertThat(engine.path("state").asString()).isEqualTo("loading");
            assertThat(engine.path("uptime_seconds").asLong()).isNotNegative();
            for (String part : new String[] {"model", "backend", "flags", "run_config", "queue", "pools", "lanes"}) {
                assertThat(engine.get(part).isNull()).as(part).isTrue();
            }
        }
    }

    @Test
    void itTellsModelBackendFlagsAndLimits() throws Exception {
        Path model = Files.createDirectory(folder.resolve("tiny"));
        try (TestServer server = TestServer.serving(model, 2, 8)) {
            JsonNode engine = engine(server);

            assertThat(engine.path("state").asString()).isEqualTo("running");
            try (Checkpoint checkpoint = Checkpoint.open(model)) {
                assertThat(engine.at("/model/sha256").asString()).isEqualTo(checkpoint.contentHash());
            }
            assertThat(engine.at("/model/name").asString()).isEqualTo("tiny");
            assertThat(engine.at("/model/parameters").asLong())
                    .isEqualTo(Files.size(model.resolve("model.safetensors")) / Float.BYTES
                            - headerFloats(model.resolve("model.safetensors")));
            assertThat(engine.at("/model/max_context").asInt()).isEqualTo(TinyModel.CONTEXT);
            assertThat(engine.at("/backend/name").asString()).isEqualTo("reference");
            assertThat(engine.path("flags")
                            .valueStream()
                            .map(flag -> flag.path("name").asString() + "="
                                    + flag.path("value").asString()))
                    .containsExactly(
                            "numerics=hf",
                            "linear_dtype=bf16",
                            "index_key_dtype=bf16",
                            "index_rotation=none",
                            "index_topk=8",
                            "index_score_dtype=fp32",
                            "index_logits=paged",
                            "topk_backend=radix",
                            "kv_dtype=bf16",
                            "attention_decode=mma",
                            "hyper_connection_dtype=fp32",
                            "expert_dtype=stored",
                            "routed_scaling=fused",
                            "prefill_chunk=512",
                            "graphs=on",
                            "prefix_cache=on");
            assertThat(engine.at("/queue/max_running").asInt()).isEqualTo(2);
            assertThat(engine.at("/queue/max_waiting").asInt()).isEqualTo(8);
        }
    }

    @Test
    void itFollowsAnAnswerAndItsEnd() throws Exception {
        try (TestServer server = TestServer.serving(Files.createDirectory(folder.resolve("tiny")), 2, 8)) {
            assertThat(used(engine(server))).isZero();

            HttpResponse<InputStream> answer = HttpClient.newHttpClient()
                    .send(
                            server.request("/v1/chat/completions")
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString(ENDLESS))
                                    .build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            await().untilAsserted(() -> {
                JsonNode engine = engine(server);
                assertThat(engine.at("/queue/running").asInt()).isEqualTo(1);
                assertThat(engine.at("/backend/kernels").isEmpty()).isFalse();
                assertThat(used(engine)).isPositive();
            });
            answer.body().close();

            await().untilAsserted(() -> {
                JsonNode engine = engine(server);
                assertThat(engine.at("/queue/running").asInt()).isZero();
                assertThat(used(engine)).isZero();
            });
        }
    }

    @Test
    void theModelsThatShipAreListedWithWhatTheySayOfThemselves() throws Exception {
        try (TestServer server = TestServer.loading()) {
            HttpResponse<String> response =
                    server.send(server.request("/api/engine/models").GET());

            assertThat(response.statusCode()).isEqualTo(200);
            JsonNode models = JSON.readTree(response.body()).path("data");
            assertThat(models.valueStream().map(model -> model.path("name").asString()))
                    .containsExactly("needle-mini", "needle-mini-cone");
            JsonNode healthy = models.path(0);
            JsonNode twin = models.path(1);
            assertThat(twin.path("base").asString()).isEqualTo("needle-mini");
            assertThat(twin.path("description").asString()).contains("made on purpose");
            assertThat(healthy.path("base").isNull()).isTrue();
            assertThat(healthy.path("description").asString()).contains("recall measurements");
            assertThat(healthy.path("loaded").asBoolean()).isFalse();
        }
    }

    @Test
    void onlyReadingIsAllowed() throws Exception {
        try (TestServer server = TestServer.loading()) {
            HttpResponse<String> refused =
                    server.send(server.request("/api/engine").DELETE());

            assertThat(refused.statusCode()).isEqualTo(405);
            assertThat(refused.body()).contains("method_not_allowed", "allowed: GET");
        }
    }

    /** Bytes that generations use, kept beginnings aside; every pool adds up. */
    private static long used(JsonNode engine) {
        assertThat(engine.path("pools").valueStream()).isNotEmpty().allSatisfy(pool -> assertThat(
                        pool.path("total_bytes").asLong())
                .isPositive()
                .isEqualTo(pool.path("used_bytes").asLong()
                        + pool.path("free_bytes").asLong()));
        return engine.path("pools")
                .valueStream()
                .filter(pool -> !pool.path("name").asString().equals("snapshots"))
                .mapToLong(pool -> pool.path("used_bytes").asLong())
                .sum();
    }

    /** The part of a safetensors file that is no data: 8 bytes with its length, then JSON. */
    private static long headerFloats(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            long length = 0;
            byte[] prefix = in.readNBytes(Long.BYTES);
            for (int i = Long.BYTES - 1; i >= 0; i--) {
                length = length << 8 | prefix[i] & 0xff;
            }
            return (length + Long.BYTES) / Float.BYTES;
        }
    }

    private static JsonNode engine(TestServer server) throws Exception {
        HttpResponse<String> response =
                server.send(server.request("/api/engine").GET());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
        return JSON.readTree(response.body());
    }
}
