package dev.plumbline.recall.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs that a server asks of another one, which hosts the same model. */
class RemoteRunTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static TestServer asked;
    private static TestServer asking;
    private static Api api;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        asked = TestServer.loading(TestDatabase.empty(), TestServer.KEY);
        asked.load(Files.createDirectory(folder.resolve("asked")), 4, 8);
        asking = TestServer.loading(TestDatabase.empty(), TestServer.KEY);
        asking.load(Files.createDirectory(folder.resolve("asking")), 4, 8);
        api = new Api(asking);
        Map<String, Object> stratum = Map.of(
                "name",
                "short",
                "task",
                "multikey",
                "lengths",
                List.of(1000),
                "placements",
                2,
                "haystacks",
                2,
                "questions",
                2);
        assertThat(api.post("/api/suites", Map.of("name", "tiny", "strata", List.of(stratum)))
                        .status())
                .isEqualTo(200);
        assertThat(target("other", asked.url()).status()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        asking.close();
        asked.close();
    }

    private static Api.Answer target(String name, String url) throws Exception {
        Map<String, Object> target = new LinkedHashMap<>();
        target.put("name", name);
        target.put("kind", "openai");
        target.put("url", url);
        target.put("key", TestServer.KEY);
        target.put("model", asked.target().name());
        target.put("weights", asked.target().model().hash());
        target.put("edges", Map.of("window", 16, "budget", 32));
        return api.post("/api/targets", target);
    }

    private static JsonNode ended(Api.Answer started) {
        assertThat(started.status()).as(started.json().toString()).isEqualTo(202);
        String path = started.text("/links/self");
        await().atMost(PATIENCE).until(() -> api.get(path).json().path("ended").isNumber());
        return json(path);
    }

    private static JsonNode json(String path) {
        try {
            return api.get(path).json();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> each(JsonNode run, String field) {
        return json(run.at("/links/cells").asString())
                .path("data")
                .valueStream()
                .map(cell -> cell.path(field).asString())
                .toList();
    }

    @Test
    void theSamePromptsAreAskedOfAnotherServerAndAnsweredTheSame() throws Exception {
        JsonNode here = ended(api.post("/api/runs", Map.of("suite", "tiny", "run_config", "baseline")));
        JsonNode there = ended(api.post("/api/runs", Map.of("suite", "tiny", "target", "other")));

        assertThat(there.path("state").asString()).isEqualTo("finished");
        assertThat(there.path("run_config").isNull()).isTrue();
        assertThat(there.at("/target/name").asString()).isEqualTo("other");
        assertThat(there.at("/target/model_sha256")).isEqualTo(here.at("/target/model_sha256"));
        assertThat(there.path("measure")).isEqualTo(here.path("measure"));
        assertThat(each(there, "prompt_sha256")).hasSize(4).isEqualTo(each(here, "prompt_sha256"));
        assertThat(each(there, "answer")).isEqualTo(each(here, "answer"));
        assertThat(each(there, "state")).containsOnly("truncated");
        String cell = json(there.at("/links/cells").asString()).path("first_id").asString();
        assertThat(json(there.at("/links/cells").asString() + "/" + cell)
                        .at("/prompt/tokens")
                        .asInt())
                .isEqualTo(1000);
    }

    @Test
    void aRunWaitsForTheOneWhosePromptsItAsks() throws Exception {
        Api.Answer first = api.post("/api/runs", Map.of("suite", "tiny", "target", "other", "seeds", List.of(5)));
        Api.Answer second = api.post(
                "/api/runs",
                Map.of(
                        "suite",
                        "tiny",
                        "run_config",
                        "baseline",
                        "seeds",
                        List.of(5),
                        "prompts_of",
                        first.text("/id")));
        JsonNode there = ended(first);
        JsonNode here = ended(second);

        assertThat(here.path("prompts_of").asString()).isEqualTo(first.text("/id"));
        assertThat(here.path("measure")).isEqualTo(there.path("measure"));
        assertThat(each(here, "prompt_sha256")).isEqualTo(each(there, "prompt_sha256"));
        assertThat(each(here, "state")).containsOnly("truncated");
    }

    @Test
    void aServerThatCannotBeReachedGivesErrorsThatSaySo() throws Exception {
        assertThat(target("nobody", "http://127.0.0.1:9").status()).isEqualTo(200);
        JsonNode run = ended(api.post("/api/runs", Map.of("suite", "tiny", "target", "nobody")));

        assertThat(run.path("state").asString()).isEqualTo("finished");
        assertThat(run.at("/cells/error").asInt()).isEqualTo(4);
        assertThat(each(run, "reason")).allMatch(reason -> reason.contains("nobody"));
    }

    @Test
    void whatCannotBeAskedIsRefused() throws Exception {
        assertThat(api.post("/api/runs", Map.of("suite", "tiny", "target", "none"))
                        .text("/error/code"))
                .isEqualTo("target_not_found");
        assertThat(api.post("/api/runs", Map.of("suite", "tiny", "target", "other", "run_config", "baseline"))
                        .text("/error/param"))
                .isEqualTo("run_config");
        Map<String, Object> right = Map.of("suite", "tiny", "run_config", "baseline");
        Map<String, Object> unknown = new LinkedHashMap<>(right);
        unknown.put("prompts_of", UUID.randomUUID().toString());
        Api.Answer missing = api.post("/api/runs", unknown);
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.text("/error/param")).isEqualTo("prompts_of");
        unknown.put("haystack", "some text");
        assertThat(api.post("/api/runs", unknown).text("/error/param")).isEqualTo("haystack");
    }
}
