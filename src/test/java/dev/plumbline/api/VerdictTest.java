package dev.plumbline.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.target.TargetOptions;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Verdicts about the embedded model, from the request to the report. */
class VerdictTest {
    private static final Duration PATIENCE = Duration.ofSeconds(240);

    private static TestServer server;
    private static Api api;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.loading(TestDatabase.empty(), TestServer.KEY);
        server.load(TargetOptions.defaults(TargetOptions.DEFAULT_MODEL));
        api = new Api(server);
        Map<String, Object> stratum = Map.of(
                "name",
                "600 tokens",
                "task",
                "multikey",
                "lengths",
                List.of(600),
                "placements",
                4,
                "phases",
                List.of(0, 1, 2, 3),
                "haystacks",
                8,
                "questions",
                4);
        assertThat(api.post("/api/suites", Map.of("name", "short", "strata", List.of(stratum)))
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/api/run-configs", Map.of("name", "one-entry", "profile", Map.of("index_topk", 1)))
                        .status())
                .isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aBudgetOfOneEntryIsARegression() throws Exception {
        // when
        JsonNode verdict = verdict("baseline", "one-entry", 1);

        // then
        assertThat(verdict.path("verdict").asString()).as(verdict.toString()).isEqualTo("REGRESSION");
        assertThat(verdict.path("sentence").asString()).contains("At 600 tokens", "on fresh seeds");
        assertThat(verdict.at("/report/fresh/seeds").toString()).isEqualTo("[2,3]");
        assertThat(verdict.at("/report/strata/0/noise").toString()).contains("\"measured\":true,\"discordant\":0");
        JsonNode lost = verdict.at("/report/lost/0");
        assertThat(lost.at("/baseline/state").asString()).isEqualTo("passed");
        assertThat(lost.at("/candidate/needle/0/budget").asInt()).isEqualTo(1);
        assertThat(verdict.at("/report/flags/0").toString())
                .startsWith("{\"name\":\"index_topk\"")
                .contains("\"candidate\":\"1\",\"differs\":true");
        String page = server.send(
                        server.request(verdict.at("/links/report").asString()).GET())
                .body();
        assertThat(page).startsWith("# REGRESSION: <code>one-entry@1</code> against");
        assertThat(server.send(server.request(verdict.at("/links/junit").asString())
                                .GET())
                        .body())
                .contains("type=\"REGRESSION\"", "type=\"lost\"");
    }

    @Test
    void aConfigAgainstItselfNeverIs() throws Exception {
        againstItself(1, 2);
    }

    @Test
    @Tag("long")
    void aConfigAgainstItselfNeverIsForTwentySeeds() throws Exception {
        againstItself(3, 22);
    }

    private static void againstItself(int first, int last) throws Exception {
        for (int seed = first; seed <= last; seed++) {
            JsonNode verdict = verdict("baseline", "baseline", seed);

            assertThat(verdict.path("verdict").asString())
                    .as(verdict.toString())
                    .isNotEqualTo("REGRESSION");
            assertThat(verdict.at("/report/strata/0/b").asInt()).isZero();
            assertThat(verdict.at("/report/strata/0/c").asInt()).isZero();
        }
    }

    private static JsonNode verdict(String baseline, String candidate, int seed) throws Exception {
        Api.Answer started = api.post(
                "/api/comparisons",
                Map.of("suite", "short", "baseline", baseline, "candidate", candidate, "seeds", List.of(seed)));
        assertThat(started.status()).as(started.json().toString()).isEqualTo(202);
        String path = started.text("/links/self");
        await().atMost(PATIENCE).until(() -> api.get(path).text("/state").matches("finished|failed"));
        return api.get(path).json();
    }
}
