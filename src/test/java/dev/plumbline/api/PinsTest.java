package dev.plumbline.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.database.Database;
import dev.plumbline.runconfig.ConfigProfile;
import dev.plumbline.runconfig.PinnedConfig;
import dev.plumbline.runconfig.Pins;
import dev.plumbline.runconfig.RunConfigException;
import dev.plumbline.runconfig.Source;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Who decides about a flag: command line, then environment, then the run config, then the checkpoint. */
class PinsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private String database;
    private Path model;

    @BeforeEach
    void begin() throws Exception {
        database = TestDatabase.create();
        model = Files.createDirectory(folder.resolve("tiny"));
    }

    private TestServer serving(Pins pins) throws Exception {
        TestServer server = TestServer.pinned(TestDatabase.named(database), pins);
        try {
            server.load(model, 2, 8);
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static String flag(Api api, String name) throws Exception {
        JsonNode flag = api.get("/api/engine")
                .json()
                .path("flags")
                .valueStream()
                .filter(one -> one.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
        return flag.path("value").asString() + " by " + flag.path("origin").asString();
    }

    private static Api.Answer activate(Api api, String config) throws Exception {
        return api.post("/api/run-configs/" + config + "/activate", Map.of("reason", "r"));
    }

    @Test
    void everyFlagSaysWhoDecidedAndPinsHoldWhateverIsActivated() throws Exception {
        Pins pins = new Pins(
                ConfigProfile.parse(Map.of("index_topk", 5)),
                ConfigProfile.parse(Map.of("index_topk", 6, "prefill_chunk", 64)),
                null);
        try (TestServer server = serving(pins)) {
            Api api = new Api(server);
            api.post(
                    "/api/run-configs",
                    Map.of("name", "own", "profile", Map.of("index_topk", 7, "prefill_chunk", 32, "kv_dtype", "fp32")));
            assertThat(flag(api, "index_topk")).isEqualTo("5 by command line");
            Api.Answer activation = activate(api, "own");

            assertThat(flag(api, "index_topk")).isEqualTo("5 by command line");
            assertThat(flag(api, "prefill_chunk")).isEqualTo("64 by environment");
            assertThat(flag(api, "kv_dtype")).isEqualTo("fp32 by run config");
            assertThat(flag(api, "linear_dtype")).isEqualTo("bf16 by default");
            assertThat(activation.json().at("/instances/0/proof/overridden").toString())
                    .isEqualTo("{\"index_topk\":\"5\",\"prefill_chunk\":\"64\"}");
            String label = "own@1+index_topk=5+prefill_chunk=64";
            assertThat(api.chat("hi", Map.of()).text("/plumbline/run_config")).isEqualTo(label);
            assertThat(api.chat("hi", Map.of("run_config", "own")).text("/plumbline/run_config"))
                    .isEqualTo("own@1");
        }
        try (TestServer server = serving(Pins.NONE)) {
            Api api = new Api(server);
            assertThat(flag(api, "index_topk")).isEqualTo("7 by run config");
            activate(api, "baseline");
            assertThat(flag(api, "index_topk")).isEqualTo("8 by checkpoint");
        }
    }

    @Test
    void aServerWithARunConfigOfItsOwnKeepsIt() throws Exception {
        PinnedConfig named = PinnedConfig.of(Source.ENVIRONMENT, "PLUMBLINE_RUN_CONFIG", "fp32-index");
        try (TestServer pinned = serving(new Pins(ConfigProfile.EMPTY, ConfigProfile.EMPTY, named));
                TestServer other = serving(Pins.NONE)) {
            Api api = new Api(pinned);
            assertThat(api.get("/api/engine").text("/run_config/name")).isEqualTo("fp32-index@1");
            assertThat(api.get("/api/engine").text("/run_config/source")).isEqualTo("environment");
            assertThat(activate(api, "double-budget").text("/error/code")).isEqualTo("instance_pinned");

            String activation = activate(new Api(other), "double-budget").text("/id");
            String path = "/api/activations/" + activation;
            await().atMost(PATIENCE)
                    .until(() -> api.get(path).text("/instances/1/status").equals("pinned"));
            assertThat(api.chat("hi", Map.of()).text("/plumbline/run_config")).isEqualTo("fp32-index@1");
        }
    }

    @Test
    void aFileNeedsNoDatabaseAndNamesItself() throws Exception {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, "name: mine\nprofile:\n  index_topk: 2x\nsampling:\n  max_completion_tokens: 2\n");
        PinnedConfig pinned = PinnedConfig.of(Source.COMMAND_LINE, "--run-config", file.toString());
        Database nowhere = Database.external("jdbc:postgresql://127.0.0.1:1/none", "nobody", "");
        try (TestServer server =
                TestServer.pinned(nowhere, new Pins(ConfigProfile.EMPTY, ConfigProfile.EMPTY, pinned))) {
            server.load(model, 2, 8);
            Api api = new Api(server);

            assertThat(api.chat("hi", Map.of()).text("/plumbline/run_config")).matches("mine@file-[0-9a-f]{8}");
            assertThat(flag(api, "index_topk")).isEqualTo("16 by run config");
        }
    }

    @Test
    void whatCannotBeHadIsRefusedAtTheStart() throws Exception {
        PinnedConfig missing = PinnedConfig.of(Source.COMMAND_LINE, "--run-config", "fp32-indx");
        assertThatThrownBy(() -> serving(new Pins(ConfigProfile.EMPTY, ConfigProfile.EMPTY, missing)))
                .isInstanceOf(RunConfigException.class)
                .hasMessageContaining("near it are: fp32-index");
        assertThatThrownBy(() -> PinnedConfig.of(Source.COMMAND_LINE, "--run-config", "no/such.yaml"))
                .hasMessageContaining("--run-config: the file no/such.yaml cannot be read");
        Path wrong = Files.writeString(folder.resolve("wrong.yaml"), "name: x\nprofile: {kv_dtype: fp7}\n");
        assertThatThrownBy(() -> PinnedConfig.of(Source.ENVIRONMENT, "PLUMBLINE_RUN_CONFIG", wrong.toString()))
                .hasMessageContaining("PLUMBLINE_RUN_CONFIG")
                .hasMessageContaining("kv_dtype is fp7");
    }

    @Test
    void anActiveConfigThatCannotBeServedIsSaidAndNotReplaced() throws Exception {
        try (TestServer server = serving(Pins.NONE)) {
            new Api(server)
                    .post(
                            "/api/run-configs",
                            Map.of("name", "huge", "profile", Map.of("prefill_chunk", 1_000_000_000)));
        }
        try (Database own = TestDatabase.named(database)) {
            own.now(client ->
                    client.sql("UPDATE active_run_config SET name = 'huge'").update());
        }
        try (TestServer server = serving(Pins.NONE)) {
            Api api = new Api(server);
            Api.Answer refused = api.chat("hi", Map.of());

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text("/error/message")).contains("huge@1 is active, but this server cannot serve it");
            assertThat(api.get("/actuator/health").status()).isEqualTo(503);
            assertThat(api.get("/actuator/health").text("/components/runConfig/details/reason"))
                    .contains("huge@1");
            assertThat(api.get("/api/engine").text("/run_config/trouble")).contains("huge@1");
            assertThat(api.chat("hi", Map.of("run_config", "baseline")).text("/plumbline/run_config"))
                    .isEqualTo("baseline@1");

            assertThat(activate(api, "baseline").status()).isEqualTo(200);
            assertThat(api.chat("hi", Map.of()).status()).isEqualTo(200);
            assertThat(api.get("/actuator/health").status()).isEqualTo(200);
        }
    }

    @Test
    void aServerWithoutItsDatabaseSaysWhatItDoesNotKnowAndFollowsOnceItIsThere() throws Exception {
        Path data = folder.resolve("data");
        Database postgres = TestDatabase.start(data);
        try (TestServer one = TestServer.pinned(TestDatabase.connect(data), Pins.NONE)) {
            one.load(model, 2, 8);
            Api here = new Api(one);
            postgres.close();
            await().atMost(PATIENCE).until(() -> here.get("/actuator/health").status() == 503);
            assertThat(here.chat("hi", Map.of()).text("/plumbline/run_config")).isEqualTo("baseline@1");
            assertThat(activate(here, "fp32-index").status()).isEqualTo(503);
            try (TestServer two = TestServer.pinned(TestDatabase.connect(data), Pins.NONE)) {
                two.load(model, 2, 8);
                Api there = new Api(two);
                Api.Answer unknown = there.chat("hi", Map.of());
                assertThat(unknown.status()).isEqualTo(503);
                assertThat(unknown.text("/error/message")).contains("not known which run config is active");
                assertThat(there.get("/actuator/health").text("/components/runConfig/status"))
                        .isEqualTo("DOWN");
                postgres = TestDatabase.start(data);
                await().atMost(PATIENCE)
                        .until(() -> there.get("/actuator/health").status() == 200
                                && here.get("/actuator/health").status() == 200);

                assertThat(there.chat("hi", Map.of()).text("/plumbline/run_config"))
                        .isEqualTo("baseline@1");
                assertThat(activate(here, "fp32-index").status()).isEqualTo(200);
                await().atMost(PATIENCE).until(() -> there.get("/api/engine")
                        .text("/run_config/name")
                        .equals("fp32-index@1"));
            }
        } finally {
            postgres.close();
        }
    }
}
