package dev.plumbline.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.database.Database;
import dev.plumbline.engine.LaneLimits;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.target.TargetOptions;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two servers on one database: what one makes active, both serve. */
class ActivationsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Map<String, String> REASON = Map.of("reason", "a test's");

    private static Path folder;
    private static String database;
    private static TestServer first;
    private static TestServer second;
    private static Api here;
    private static Api there;

    @BeforeAll
    static void start(@TempDir Path model) throws Exception {
        folder = model;
        database = TestDatabase.create();
        first = server();
        second = server();
        here = new Api(first);
        there = new Api(second);
    }

    private static TestServer server() throws Exception {
        TestServer server = TestServer.loading(TestDatabase.named(database), TestServer.KEY);
        server.load(folder, 2, 8);
        return server;
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
    }

    @BeforeEach
    void begin() throws Exception {
        assertThat(activate("baseline").status()).isEqualTo(200);
        await().atMost(PATIENCE).until(() -> served(there).equals("baseline@1"));
    }

    private static Api.Answer activate(String config) throws Exception {
        return here.post("/api/run-configs/" + config + "/activate", REASON);
    }

    private static String served(Api api) throws Exception {
        return api.get("/api/engine").text("/run_config/name");
    }

    @Test
    void theOtherServerFollowsWithinTwoSecondsAndBothProveIt() throws Exception {
        List<Duration> behind = new ArrayList<>();
        Api.Answer activation = null;
        // A busy machine may delay one of them.
        for (String config : List.of("double-budget", "baseline", "fp32-index")) {
            activation = activate(config);
            long switched = System.nanoTime();
            await().pollInterval(Duration.ofMillis(10)).atMost(PATIENCE).until(() -> served(there)
                    .equals(config + "@1"));
            behind.add(Duration.ofNanos(System.nanoTime() - switched));
        }

        assertThat(behind).as("how far behind the other server was").anyMatch(one -> one.toSeconds() < 2);
        assertThat(activation.status()).isEqualTo(200);
        assertThat(activation.text("/status")).isEqualTo("complete");
        assertThat(activation.text("/from")).isEqualTo("baseline@1");
        assertThat(activation.text("/to")).isEqualTo("fp32-index@1");
        assertThat(activation.text("/author")).isEqualTo("admin");
        String path = "/api/activations/" + activation.text("/id");
        await().atMost(PATIENCE)
                .until(() -> here.get(path).json().path("instances").size() == 2);
        for (JsonNode instance : there.get(path).json().path("instances")) {
            assertThat(instance.path("status").asString()).isEqualTo("serving");
            JsonNode proof = instance.path("proof");
            assertThat(flag(proof, "index_key_dtype").path("value").asString()).isEqualTo("fp32");
            assertThat(flag(proof, "index_key_dtype").path("origin").asString()).isEqualTo("run config");
            assertThat(flag(proof, "kv_dtype").path("value").asString()).isEqualTo("bf16");
            assertThat(proof.at("/smoke/run").asBoolean()).isTrue();
            assertThat(proof.path("kernels")).isNotEmpty();
            assertThat(proof.at("/build/commit").asString()).isNotEmpty();
            assertThat(proof.at("/memory/tensors_read").asLong()).isZero();
        }
        assertThat(there.chat("hi", Map.of()).text("/plumbline/run_config")).isEqualTo("fp32-index@1");
        assertThat(there.get("/api/run-configs").text("/active")).isEqualTo("fp32-index@1");
    }

    private static JsonNode flag(JsonNode proof, String name) {
        return proof.path("flags")
                .valueStream()
                .filter(flag -> flag.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void rollbacksGoBackOneActivationAfterTheOther() throws Exception {
        activate("fp32-index");
        activate("double-budget");
        Api.Answer one = here.post("/api/run-configs/rollback", REASON);
        assertThat(one.text("/to")).isEqualTo("fp32-index@1");
        assertThat(one.text("/kind")).isEqualTo("rollback");
        assertThat(served(here)).isEqualTo("fp32-index@1");
        assertThat(here.post("/api/run-configs/rollback", REASON).text("/to")).isEqualTo("baseline@1");
        assertThat(here.get("/api/activations?limit=4").each("to"))
                .containsExactly("baseline@1", "fp32-index@1", "double-budget@1", "fp32-index@1");
        Api.Answer last;
        do {
            last = here.post("/api/run-configs/rollback", REASON);
        } while (last.status() == 200);
        assertThat(last.status()).isEqualTo(409);
        assertThat(last.text("/error/code")).isEqualTo("nothing_to_roll_back");
    }

    @Test
    void whatDoesNotFitFailsChangesNothingAndIsAudited() throws Exception {
        JsonNode engine = here.get("/api/engine").json();
        long one = engine.at("/lanes/0/pool_bytes").asLong()
                + engine.at("/lanes/0/working_bytes").asLong()
                + engine.at("/lane_memory/weight_bytes").asLong();
        TargetOptions tight = new TargetOptions(
                folder.toString(),
                "reference",
                2,
                null,
                2,
                8,
                PartialProfile.empty(),
                new LaneLimits(one * 5 / 4, Duration.ofMinutes(10)));
        try (TestServer small = TestServer.loading(TestDatabase.named(database), TestServer.KEY)) {
            small.load(tight);
            Api api = new Api(small);
            Api.Answer refused = post(api, "fp32-index");

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text("/error/message")).contains("fp32-index@1").contains("MiB");
            assertThat(served(api)).isEqualTo("baseline@1");
            JsonNode audit = api.get("/api/activations?limit=1").json().at("/data/0");
            assertThat(audit.path("status").asString()).isEqualTo("failed");
            assertThat(audit.path("failure").asString()).contains("MiB");
            assertThat(audit.path("to").asString()).isEqualTo("fp32-index@1");
            Api.Answer asked = api.chat("hi", Map.of("run_config", "fp32-index"));
            assertThat(asked.status()).isEqualTo(503);
            assertThat(asked.text("/error/message")).contains("MiB");
            assertThat(api.chat("hi", Map.of()).status()).isEqualTo(200);
        }
    }

    @Test
    void whatMakesNoSenseForTheModelIsRefusedWithWhatIsAllowed() throws Exception {
        here.post("/api/run-configs", Map.of("name", "huge", "profile", Map.of("prefill_chunk", 1_000_000_000)));
        Api.Answer refused = activate("huge");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/error/message")).contains("prefill_chunk is 1000000000", "allowed: 1 to 8192");
        assertThat(here.get("/api/activations?limit=1").text("/data/0/failure")).contains("allowed: 1 to 8192");
        assertThat(here.chat("hi", Map.of("run_config", "huge")).text("/error/message"))
                .contains("allowed: 1 to 8192");
    }

    @Test
    void ofTwoActivationsAtOnceTheSecondIsRefused() throws Exception {
        UUID busy = UUID.randomUUID();
        sql("INSERT INTO activation (id, kind, from_name, from_version, to_name, to_version, reason, author, instance,"
                + " status) VALUES ('" + busy + "', 'activate', 'baseline', 1, 'fp8-index', 1, 'r', 'a', 'gone',"
                + " 'in_progress')");
        Api.Answer refused = activate("fp32-index");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/error/code")).isEqualTo("activation_in_progress");

        sql("UPDATE activation SET touched_at = touched_at - interval '1 hour' WHERE id = '" + busy + "'");
        assertThat(activate("fp32-index").status()).isEqualTo(200);
        assertThat(here.get("/api/activations/" + busy).text("/status")).isEqualTo("failed");
    }

    private static void sql(String statement) {
        try (Database own = TestDatabase.named(database)) {
            own.now(client -> client.sql(statement).update());
        }
    }

    @Test
    void ofManyAtOnceOnBothServersEachIsDoneOrRefusedAndAllServersAgree() throws Exception {
        List<CompletableFuture<Api.Answer>> askers = new ArrayList<>();
        for (int asker = 0; asker < 8; asker++) {
            Api api = asker % 2 == 0 ? here : there;
            String config = List.of("fp32-index", "double-budget", "baseline").get(asker % 3);
            askers.add(CompletableFuture.supplyAsync(() -> post(api, config)));
        }
        List<Integer> statuses =
                askers.stream().map(asker -> asker.join().status()).toList();

        assertThat(statuses).contains(200).containsOnly(200, 409);
        String last = here.get("/api/activations")
                .json()
                .path("data")
                .valueStream()
                .filter(one -> one.path("status").asString().equals("complete"))
                .findFirst()
                .orElseThrow()
                .path("to")
                .asString();
        await().atMost(PATIENCE)
                .until(() -> served(here).equals(last) && served(there).equals(last));
    }

    private static Api.Answer post(Api api, String config) {
        try {
            return api.post("/api/run-configs/" + config + "/activate", REASON);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aServerThatStartsServesWhatIsActive() throws Exception {
        String activation = activate("double-budget").text("/id");
        try (TestServer third = server()) {
            Api api = new Api(third);

            assertThat(api.chat("hi", Map.of()).text("/plumbline/run_config")).isEqualTo("double-budget@1");
            Api.Answer engine = api.get("/api/engine");
            assertThat(engine.text("/run_config/name")).isEqualTo("double-budget@1");
            assertThat(engine.text("/run_config/source")).isEqualTo("database");
            assertThat(engine.text("/run_config/activation")).isEqualTo(activation);
            assertThat(engine.json().path("lanes")).hasSize(1);
            String path = "/api/activations/" + activation;
            await().atMost(PATIENCE)
                    .until(() -> api.get(path).json().path("instances").size() == 3);
        }
    }

    @Test
    void aReasonIsNeededAndTheVersionMustExist() throws Exception {
        String path = "/api/run-configs/fp32-index/activate";

        assertThat(here.post(path, Map.of()).text("/error/param")).isEqualTo("reason");
        assertThat(here.post(path, Map.of("reason", "r", "why", "r")).text("/error/message"))
                .contains("Unknown parameter: 'why'; allowed: reason, version, wait_seconds.");
        assertThat(here.post(path, Map.of("reason", " ")).status()).isEqualTo(400);
        assertThat(here.post(path, Map.of("reason", "x\u0000")).status()).isEqualTo(400);
        assertThat(here.post(path, Map.of("reason", "x".repeat(501))).status()).isEqualTo(400);
        assertThat(here.post(path, Map.of("reason", "r", "version", 9)).text("/error/code"))
                .isEqualTo("run_config_not_found");
        assertThat(here.post("/api/run-configs/fp32-indx/activate", REASON).text("/error/message"))
                .contains("fp32-index");
        assertThat(here.get("/api/activations/" + UUID.randomUUID()).status()).isEqualTo(404);
        Api.Answer begun = here.post(path, Map.of("reason", "r", "wait_seconds", 0));
        assertThat(begun.status()).isIn(200, 202);
        String activation = "/api/activations/" + begun.text("/id");
        await().atMost(PATIENCE)
                .until(() -> here.get(activation).text("/status").equals("complete"));
        assertThat(here.post(path, Map.of("reason", "r", "version", 1, "wait_seconds", 60))
                        .status())
                .isEqualTo(200);
    }
}
