package dev.plumbline.recall.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.database.Database;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs over HTTP on a tiny model whose answers never end by themselves: every cell that is asked is truncated. */
class RunsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static Database database;
    private static TestServer server;
    private static Api api;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        String name = TestDatabase.create();
        server = TestServer.loading(TestDatabase.named(name), TestServer.KEY);
        server.load(folder, 4, 8);
        database = TestDatabase.named(name);
        api = new Api(server);
    }

    @AfterAll
    static void stop() {
        database.close();
        server.close();
    }

    private static String run(int haystacks) {
        return "/api/runs/" + TestRuns.create(database, server.target(), TestRuns.suite(haystacks));
    }

    private static void awaitState(String run, String state) {
        await().atMost(PATIENCE).until(() -> api.get(run).text("/state").equals(state));
    }

    @Test
    void everyCellIsAskedOnceAndKeptWithItsTrace() throws Exception {
        String path = run(2);
        awaitState(path, "finished");

        JsonNode run = api.get(path).json();
        assertThat(run.at("/cells").toString())
                .isEqualTo("{\"total\":8,\"passed\":0,\"failed\":0,\"truncated\":8,\"error\":0,\"missing\":0}");
        assertThat(run.at("/flags/index_key_dtype").asString()).isEqualTo("bf16");
        assertThat(run.at("/target/kind").asString()).isEqualTo("native");
        assertThat(run.at("/target/facts/backend").asString()).isEqualTo("reference");
        assertThat(run.at("/target/facts/commit").asString()).isNotEmpty();
        assertThat(run.at("/last_event").asLong()).isEqualTo(8 + 3);
        JsonNode cells = api.get(path + "/cells").json();
        assertThat(cells.path("data")).hasSize(8).allSatisfy(cell -> {
            assertThat(cell.path("state").asString()).isEqualTo("truncated");
            assertThat(cell.path("prompt_sha256").asString()).hasSize(64);
            assertThat(cell.path("expected")).hasSize(1);
            assertThat(cell.path("prompt_tokens").asInt()).isEqualTo(1000);
            assertThat(cell.path("answer_tokens").asInt()).isEqualTo(128);
            assertThat(cell.path("finish_reason").asString()).isEqualTo("length");
            assertThat(cell.path("first_token_ms").asDouble()).isPositive();
            assertThat(cell.path("needle"))
                    .extracting(trace -> trace.path("layer").asInt() + " "
                            + trace.path("stage").asString())
                    .containsExactlyInAnyOrder("1 prefill", "1 decode");
            assertThat(cell.at("/needle/0/rank").asInt()).isPositive();
        });
        RunRecord record = new WholeRuns(database, new Plans())
                .record(UUID.fromString(run.path("id").asString()))
                .orElseThrow();
        assertThat(record.counts()).containsEntry(CellState.TRUNCATED, 8).containsEntry(CellState.MISSING, 0);
        assertThat(record.cells().get(3).needle()).hasSize(2);
    }

    @Test
    void aCellComesWithItsPromptWhichIsTheOneThatWasAsked() throws Exception {
        String path = run(1);
        awaitState(path, "finished");
        String id = api.get(path + "/cells?limit=1").text("/last_id");

        JsonNode cell = api.get(path + "/cells/" + id).json();
        assertThat(id).startsWith("multikey/1000/");
        assertThat(cell.at("/prompt/sha256")).isEqualTo(cell.path("prompt_sha256"));
        assertThat(cell.at("/prompt/tokens").asInt()).isEqualTo(1000);
        assertThat(cell.at("/prompt/messages/0/content").asString())
                .contains(cell.at("/expected/0").asString());
        Api.Answer missing = api.get(path + "/cells/multikey/7");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.text("/error/param")).isEqualTo("cell");
    }

    @Test
    void aPromptInSomebodysOwnTextIsShownOnlyToThoseWhoMayHandOneIn() throws Exception {
        // given
        Api chat = new Api(server.with(TestUser.create(database, Scope.CHAT).key()));
        String path = run(1);
        awaitState(path, "finished");
        String cell = path + "/cells/" + api.get(path + "/cells?limit=1").text("/last_id");
        assertThat(chat.get(cell).json().at("/prompt/tokens").asInt()).isEqualTo(1000);

        // when
        String text = "A line of a text that is nobody else's business.\n".repeat(2000);
        database.now(client -> client.sql("INSERT INTO run_haystack (run_id, text) VALUES (:id, :text)")
                .param("id", UUID.fromString(path.substring(path.lastIndexOf('/') + 1)))
                .param("text", text)
                .update());

        // then
        assertThat(chat.get(cell).json().path("prompt").isNull()).isTrue();
        assertThat(chat.get(cell).json().toString()).doesNotContain("nobody else's");
        assertThat(api.get(cell).json().at("/prompt/messages/0/content").asString())
                .contains("nobody else's");
    }

    @Test
    void aCancelledRunKeepsWhatIsDoneAndNothingOfItIsAskedAnyMore() throws Exception {
        String path = run(200);
        await().atMost(PATIENCE)
                .until(() -> api.get(path).json().at("/cells/truncated").asInt() > 0);
        Api.Answer cancelled = api.post(path + "/cancel", Map.of());
        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.text("/state")).isEqualTo("cancelled");
        String next = run(1);
        awaitState(next, "finished");

        JsonNode run = api.get(path).json();
        assertThat(run.path("cells")).isEqualTo(cancelled.json().path("cells"));
        assertThat(run.at("/cells/missing").asInt()).isPositive();
        assertThat(api.get(path + "/cells?state=claimed").json().path("data")).isEmpty();
        assertThat(api.post(path + "/cancel", Map.of()).text("/state")).isEqualTo("cancelled");
    }

    @Test
    void aRunThatIsBeingAskedCanBeDeleted() throws Exception {
        String path = run(200);
        await().atMost(PATIENCE)
                .until(() -> api.get(path).json().at("/cells/truncated").asInt() > 0);

        assertThat(api.delete(path).json().path("deleted").asBoolean()).isTrue();
        assertThat(api.get(path).status()).isEqualTo(404);
        assertThat(api.get(path + "/cells").status()).isEqualTo(404);
        assertThat(api.delete(path).status()).isEqualTo(404);
        awaitState(run(1), "finished");
    }

    @Test
    void listsGoOnWhereTheyEndedAndTakeFilters() throws Exception {
        String path = run(2);
        awaitState(path, "finished");
        String id = path.substring("/api/runs/".length());

        List<String> all = api.get(path + "/cells").each("id");
        assertThat(api.get(path + "/cells?limit=3&after=" + all.get(2)).each("id"))
                .isEqualTo(all.subList(3, 6));
        assertThat(api.get(path + "/cells?order=desc&limit=2").each("id")).containsExactly(all.get(7), all.get(6));
        assertThat(api.get(path + "/cells?length=1000&stratum=short&state=truncated")
                        .each("id"))
                .isEqualTo(all);
        assertThat(api.get(path + "/cells?length=999").each("id")).isEmpty();
        assertThat(api.get(path + "/cells?stratum=%00%EF%BF%BE").each("id")).isEmpty();
        assertThat(api.get(path + "/cells?after=%00").text("/error/param")).isEqualTo("after");
        assertThat(api.get(path + "/cells/%C3%A4").status()).isEqualTo(404);
        assertThat(api.get(path + "/cells?state=lost").text("/error/param")).isEqualTo("state");
        assertThat(api.get(path + "/cells?after=nothing").text("/error/param")).isEqualTo("after");
        assertThat(api.get("/api/runs?suite=tiny/1&run_config=baseline@1&state=finished&limit=100")
                        .each("id"))
                .contains(id);
        assertThat(api.get("/api/runs?suite=tiny/2").each("id")).isEmpty();
        assertThat(api.get("/api/runs?order=asc&after=" + id).each("id")).doesNotContain(id);
        assertThat(api.get("/api/runs?state=over").text("/error/message")).contains("waiting, running, finished");
    }

    @Test
    void whatCannotBeAskedIsRefusedWithWhatIsAllowed() throws Exception {
        Map<String, Object> right = Map.of("suite", "smoke", "run_config", "baseline");
        assertThat(refused(Map.of("suite", "smoke")).text("/error/param")).isEqualTo("run_config");
        assertThat(refused(with(right, "suite", "smoky")).text("/error/message"))
                .contains("smoky", "smoke");
        assertThat(refused(with(right, "suite", "smoke/99")).text("/error/code"))
                .isEqualTo("suite_not_found");
        assertThat(refused(with(right, "run_config", "baselin")).text("/error/message"))
                .contains("near it are: baseline");
        assertThat(refused(with(right, "run_config", "baseline@9")).text("/error/code"))
                .isEqualTo("run_config_not_found");
        assertThat(refused(with(right, "seeds", List.of())).text("/error/param"))
                .isEqualTo("seeds");
        assertThat(refused(with(right, "seeds", List.of(1, 1))).text("/error/param"))
                .isEqualTo("seeds[1]");
        assertThat(refused(with(right, "seeds", List.of(1.5))).text("/error/code"))
                .isEqualTo("invalid_type");
        assertThat(refused(with(right, "seeds", IntStream.range(0, 101).boxed().toList()))
                        .text("/error/message"))
                .contains("1 to 100");
        assertThat(refused(with(right, "haystack", " ")).text("/error/param")).isEqualTo("haystack");
        assertThat(refused(with(right, "haystack", "a\u0000b")).text("/error/param"))
                .isEqualTo("haystack");
        assertThat(refused(with(right, "target", "a\u0000")).text("/error/param"))
                .isEqualTo("target");
        assertThat(refused(with(right, "prompts_of", "x")).text("/error/param")).isEqualTo("prompts_of");
        assertThat(refused(with(right, "more", 1)).text("/error/code")).isEqualTo("unknown_parameter");
        assertThat(refused(with(right, "suite", "sweep")).text("/error/message"))
                .contains("22597", "allowed: at most 8064", "context is 8192");
        assertThat(api.get("/api/runs/" + UUID.randomUUID()).status()).isEqualTo(404);
        assertThat(api.get("/api/runs/x/events").status()).isEqualTo(404);
    }

    private static Api.Answer refused(Map<String, Object> body) throws Exception {
        Api.Answer answer = api.post("/api/runs", body);
        assertThat(answer.status()).as(answer.json().toString()).isIn(400, 404);
        return answer;
    }

    private static Map<String, Object> with(Map<String, Object> body, String field, Object value) {
        Map<String, Object> changed = new java.util.HashMap<>(body);
        changed.put(field, value);
        return changed;
    }

    @Test
    void aRunIsStartedAndNamesWhatWillBeAsked() throws Exception {
        Api.Answer started =
                api.post("/api/runs", Map.of("suite", "smoke", "run_config", "fp8-index", "seeds", List.of(7, 9)));

        assertThat(started.status()).isEqualTo(202);
        assertThat(started.text("/run_config")).isEqualTo("fp8-index@1");
        assertThat(started.text("/suite")).startsWith("smoke/");
        assertThat(started.json().at("/cells/total").asInt()).isEqualTo(2 * 3 * 128);
        assertThat(started.text("/owner")).isEqualTo("admin");
        assertThat(started.json().path("seeds").toString()).isEqualTo("[7,9]");
        assertThat(api.post(started.text("/links/cancel"), Map.of()).status()).isEqualTo(200);
    }

    @Test
    void readingNeedsChatOrOperateAndChangingOperate() throws Exception {
        Api chat = new Api(server.with(TestUser.create(database, Scope.CHAT).key()));
        Api admin = new Api(server.with(TestUser.create(database, Scope.ADMIN).key()));
        Map<String, Object> wish = Map.of("suite", "smoke", "run_config", "baseline");

        assertThat(chat.get("/api/runs").status()).isEqualTo(200);
        assertThat(admin.get("/api/runs").text("/error/code")).isEqualTo("missing_scope");
        assertThat(chat.post("/api/runs", wish).text("/error/code")).isEqualTo("missing_scope");
        assertThat(chat.delete("/api/runs/" + UUID.randomUUID()).status()).isEqualTo(403);
        assertThat(chat.post("/api/runs/" + UUID.randomUUID() + "/cancel", Map.of())
                        .status())
                .isEqualTo(403);
    }

    @Test
    void cellsAreCountedByWhatBecameOfThem() throws Exception {
        double before = cells();
        awaitState(run(1), "finished");
        assertThat(cells()).isEqualTo(before + 4);
        await().atMost(PATIENCE).until(() -> metric("plumbline_runs_running") == 0);
    }

    private static double cells() throws Exception {
        return metric("plumbline_run_cells_total{state=\"truncated\"}");
    }

    private static double metric(String series) throws Exception {
        return server.send(server.request("/actuator/prometheus"))
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElseThrow();
    }
}
