package dev.plumbline.recall.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.database.Database;
import dev.plumbline.engine.LaneLimits;
import dev.plumbline.model.TinyModel;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.recall.NativeCells;
import dev.plumbline.target.TargetOptions;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs that cannot be asked. */
class RunFailureTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aLaneThatDoesNotFitFailsTheRunWithTheArithmeticAndTheNextOneGoesOn(@TempDir Path folder) throws Exception {
        String name = TestDatabase.create();
        try (TestServer server = TestServer.loading(TestDatabase.named(name), TestServer.KEY);
                Database database = TestDatabase.named(name)) {
            server.load(options(folder, LaneLimits.defaults()));
            JsonNode engine = new Api(server).get("/api/engine").json();
            long one = engine.at("/lanes/0/pool_bytes").asLong()
                    + engine.at("/lanes/0/working_bytes").asLong()
                    + engine.at("/lane_memory/weight_bytes").asLong();
            try (TestServer small = TestServer.loading(TestDatabase.named(name), TestServer.KEY)) {
                server.close();
                small.load(options(folder, new LaneLimits(one * 5 / 4, Duration.ofMinutes(10))));
                Api api = new Api(small);
                String wide = "/api/runs/"
                        + TestRuns.create(
                                database,
                                NativeCells.edges(small.target().status().config()),
                                small.target().model().hash(),
                                TestRuns.suite(1),
                                "fp32-index");
                String served = "/api/runs/" + TestRuns.create(database, small.target(), TestRuns.suite(1));
                await().atMost(PATIENCE)
                        .until(() -> api.get(wide).text("/state").equals("failed"));

                assertThat(api.get(wide).text("/failure"))
                        .contains("fp32-index@1")
                        .contains("MiB");
                assertThat(api.get(wide).json().at("/cells/missing").asInt()).isEqualTo(4);
                Followed followed = Followed.from(small, wide, 0L);
                assertThat(followed.status()).isEqualTo(200);
                assertThat(followed.numbered().get(1).data().path("failure").asString())
                        .contains("MiB");
                await().atMost(PATIENCE)
                        .until(() -> api.get(served).text("/state").equals("finished"));
            }
        }
    }

    private static TargetOptions options(Path folder, LaneLimits limits) throws Exception {
        return new TargetOptions(
                TinyModel.write(folder).toString(), "reference", 2, null, 2, 8, PartialProfile.empty(), limits);
    }

    @Test
    void aRunOfAnotherModelWaitsForAServerThatHasIt(@TempDir Path folder) throws Exception {
        String name = TestDatabase.create();
        try (TestServer server = TestServer.loading(TestDatabase.named(name), TestServer.KEY);
                Database database = TestDatabase.named(name)) {
            server.load(folder, 2, 2);
            Api api = new Api(server);
            String foreign = "/api/runs/"
                    + TestRuns.create(
                            database,
                            NativeCells.edges(server.target().status().config()),
                            "0".repeat(64),
                            TestRuns.suite(1),
                            "baseline");
            String own = "/api/runs/" + TestRuns.create(database, server.target(), TestRuns.suite(1));
            await().atMost(PATIENCE).until(() -> api.get(own).text("/state").equals("finished"));

            assertThat(api.get(foreign).text("/state")).isEqualTo("waiting");
            assertThat(api.get(foreign + "/cells/" + api.get(foreign + "/cells").text("/first_id"))
                            .json()
                            .path("prompt")
                            .isNull())
                    .isTrue();
            assertThat(api.post(foreign + "/cancel", Map.of()).text("/state")).isEqualTo("cancelled");
        }
    }
}
