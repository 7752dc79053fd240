package dev.plumbline.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.database.Database;
import dev.plumbline.recall.run.TestRuns;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.io.StringReader;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;

/** Comparisons over HTTP, of a model that never ends an answer: every cell is truncated, and no verdict can be had. */
class ComparisonsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static String name;
    private static Database database;
    private static Path folder;
    private static TestServer server;
    private static Api api;
    private static String first;
    private static String second;

    @BeforeAll
    static void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        name = TestDatabase.create();
        database = TestDatabase.named(name);
        server = TestServer.loading(TestDatabase.named(name), TestServer.KEY);
        server.load(folder, 2, 2);
        api = new Api(server);
        assertThat(api.post("/api/suites", suite("tiny")).status()).isEqualTo(200);
        assertThat(api.post("/api/suites", suite("other")).status()).isEqualTo(200);
        first = run("tiny", "baseline");
        second = run("tiny", "fp8-index");
    }

    @AfterAll
    static void stop() {
        server.close();
        database.close();
    }

    private static Map<String, Object> suite(String name) {
        return Map.of(
                "name",
                name,
                "strata",
                List.of(Map.of(
                        "name",
                        "1,000 | <b>tokens</b>",
                        "task",
                        "multikey",
                        "lengths",
                        List.of(1000),
                        "placements",
                        2,
                        "haystacks",
                        1,
                        "questions",
                        2)));
    }

    private static String run(String suite, String config) throws Exception {
        String id = api.post("/api/runs", Map.of("suite", suite, "run_config", config))
                .text("/id");
        awaitState("/api/runs/" + id, "finished");
        return id;
    }

    private static void awaitState(String path, String state) {
        await().atMost(PATIENCE)
                .until(
                        () -> api.get(path).text("/state"),
                        found -> !found.matches("waiting|running|confirming") || found.equals(state));
        assertState(path, state);
    }

    private static void assertState(String path, String state) {
        try {
            JsonNode json = api.get(path).json();
            assertThat(json.path("state").asString()).as(json.toString()).isEqualTo(state);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String compare(String baseline, String candidate) {
        return "/api/compare?baseline=" + baseline + "&candidate=" + candidate;
    }

    @Test
    void twoRunsAreLaidSideBySide() throws Exception {
        // when
        Api.Answer answer = api.get(compare(first, second));

        // then
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        assertThat(answer.text("/verdict")).isEqualTo("NOT ENOUGH EVIDENCE");
        assertThat(answer.text("/sentence")).contains("4 truncated").contains("(b=0, c=0, n=0)");
        JsonNode stratum = answer.json().at("/strata/0");
        assertThat(stratum.path("b").asInt()).isZero();
        assertThat(stratum.path("c").asInt()).isZero();
        assertThat(stratum.at("/baseline/rate").isNull()).isTrue();
        assertThat(stratum.at("/cells_needed/for_safe").asInt()).isEqualTo(73);
        assertThat(answer.json().path("left_out")).hasSize(2);
        assertThat(answer.text("/flags/0/name")).isEqualTo("index_key_dtype");
        assertThat(answer.text("/notes/0")).contains("not asked twice");
    }

    @Test
    void whatDiffersIsNamedInstead() throws Exception {
        // given the same cells of another suite, and a run of another model
        String other = run("other", "baseline");
        String foreign = run("tiny", "baseline");
        sql("UPDATE run SET model_hash = 'another' WHERE id = '" + foreign + "'");

        // when
        Api.Answer suites = api.get(compare(first, other));
        Api.Answer models = api.get(compare(first, foreign));

        // then
        assertThat(suites.status()).isEqualTo(409);
        assertThat(suites.text("/error/code")).isEqualTo("not_comparable");
        assertThat(suites.text("/error/message"))
                .isEqualTo(
                        "Not comparable: the runs differ in suite: tiny/1 in the baseline, other/1 in the candidate.");
        assertThat(models.status()).isEqualTo(409);
        assertThat(models.text("/error/message")).contains("differ in model: ", "another in the candidate");
    }

    @Test
    void otherSeedsAreOtherCells() throws Exception {
        String id = api.post("/api/runs", Map.of("suite", "tiny", "run_config", "baseline", "seeds", List.of(2)))
                .text("/id");
        awaitState("/api/runs/" + id, "finished");

        assertThat(api.get(compare(first, id)).text("/error/message")).contains("differ in cells: multikey/1000/");
    }

    @Test
    void aRunThatIsNotFinishedIsNamed() throws Exception {
        // given a run of a model that nobody serves
        UUID waiting = TestRuns.create(database, new Edges(8, 16), "nobody's", TestRuns.suite(1), "baseline");

        // when
        Api.Answer answer = api.get(compare(first, waiting.toString()));

        // then
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.text("/error/code")).isEqualTo("run_not_finished");
        assertThat(answer.text("/error/message"))
                .isEqualTo("The run " + waiting + ", which 'candidate' names, is waiting; allowed: finished runs.");
    }

    @Test
    void wrongParametersAreRefusedWithWhatIsAllowed() throws Exception {
        assertThat(api.get("/api/compare?baseline=" + first).text("/error/param"))
                .isEqualTo("candidate");
        assertThat(api.get(compare("x", second)).text("/error/message")).contains("'baseline'", "the id of a run");
        assertThat(api.get(compare(first, second) + "&margin=5").text("/error/message"))
                .contains("from 0.001 to 0.5");
        assertThat(api.get(compare(first, second) + "&fresh_baseline=" + first).text("/error/param"))
                .isEqualTo("fresh_candidate");
        assertThat(api.get(compare(first, second) + "&more=1").text("/error/code"))
                .isEqualTo("unknown_parameter");
        Api.Answer missing = api.get(compare(first, UUID.randomUUID().toString()));
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.text("/error/param")).isEqualTo("candidate");
        Api.Answer itself = api.get(compare(first, second) + "&baseline_again=" + first);
        assertThat(itself.status()).isEqualTo(409);
        assertThat(itself.text("/error/message")).contains("cannot be its own second run");
    }

    @Test
    void aRunIsExportedInFourForms() throws Exception {
        String path = "/api/runs/" + first;

        HttpResponse<String> csv = file(path + "/export.csv", "text/csv;charset=UTF-8");
        assertThat(csv.body().lines()).hasSize(1 + 2);
        assertThat(csv.body()).startsWith("run,suite,run_config,").contains("layer1_decode_value0_rank");
        HttpResponse<String> json = file(path + "/export.json", "application/json");
        assertThat(json.body()).contains("\"state\" : \"truncated\"", "api/runs");
        HttpResponse<String> junit = file(path + "/export.junit.xml", "application/xml;charset=UTF-8");
        DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(junit.body())));
        assertThat(junit.body()).contains("errors=\"2\"", "type=\"truncated\"");
        HttpResponse<String> page = file(path + "/report.md", "text/markdown;charset=UTF-8");
        assertThat(page.body())
                .startsWith("# Recall of <code>baseline@1</code>")
                .contains("curl -sS", "1,000 &#124; &#60;b&#62;tokens")
                .doesNotContain("<b>");
        HttpResponse<String> verdict =
                file("/api/runs/" + second + "/report.md?baseline=" + first, "text/markdown;charset=UTF-8");
        assertThat(verdict.body())
                .startsWith("# NOT ENOUGH EVIDENCE: <code>fp8-index@1</code> against <code>baseline@1</code>")
                .contains("## Recall by length and depth", "## Proof of both", "baseline=" + first);
        assertThat(api.get("/api/runs/" + second + "/report.md?margin=0.1").text("/error/param"))
                .isEqualTo("baseline");
        assertThat(api.get("/api/runs/" + UUID.randomUUID() + "/export.csv").status())
                .isEqualTo(404);
    }

    private static HttpResponse<String> file(String path, String type) throws Exception {
        HttpResponse<String> answer = server.send(server.request(path).GET());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains(type);
        assertThat(answer.headers().firstValue("Content-Disposition").orElse(""))
                .startsWith("attachment; filename=");
        return answer;
    }

    @Test
    void aComparisonAsksAllItNeedsAndKeepsItsVerdictLongerThanItsRuns() throws Exception {
        // when
        Api.Answer started = api.post(
                "/api/comparisons",
                Map.of("suite", "tiny", "baseline", "baseline", "candidate", "fp8-index@1", "margin", 0.1));

        // then
        assertThat(started.status()).as(started.json().toString()).isEqualTo(202);
        assertThat(started.text("/baseline/run_config")).isEqualTo("baseline@1");
        String path = started.text("/links/self");
        awaitState(path, "finished");
        Api.Answer done = api.get(path);
        assertThat(done.text("/verdict")).isEqualTo("NOT ENOUGH EVIDENCE");
        assertThat(done.text("/command"))
                .isEqualTo("./plumbline gate --suite tiny/1 --baseline baseline@1 --candidate fp8-index@1"
                        + " --margin 0.1 --server \"$PLUMBLINE_URL\"");
        assertThat(done.json().at("/report/strata/0/noise/n").asInt()).isZero();
        assertThat(api.get("/api/runs/" + done.text("/runs/baseline_again")).text("/purpose"))
                .isEqualTo("noise");
        assertThat(api.get("/api/comparisons?limit=100").each("id")).contains(done.text("/id"));
        file(path + "/report.md", "text/markdown;charset=UTF-8");
        assertThat(file(path + "/export.junit.xml", "application/xml;charset=UTF-8")
                        .body())
                .contains("<testsuite name=\"verdict\"");
        String report = file(path + "/export.json", "application/json").body();

        assertThat(api.get(compare(done.text("/runs/baseline"), done.text("/runs/candidate")))
                        .text("/baseline_again"))
                .as("what a comparison of the two has asked besides")
                .isEqualTo(done.text("/runs/baseline_again"));

        // when its runs are gone
        assertThat(api.delete("/api/runs/" + done.text("/runs/candidate")).status())
                .isEqualTo(200);

        // then
        assertThat(file(path + "/export.json", "application/json").body()).isEqualTo(report);
        assertThat(api.get(path).text("/runs/candidate")).isEmpty();
        Api.Answer gone = api.get(path + "/report.md");
        assertThat(gone.status()).isEqualTo(404);
        assertThat(gone.text("/error/message")).contains("have been deleted", "its JSON is still there");
    }

    @Test
    void aComparisonWhoseRunIsCancelledSaysSo() throws Exception {
        Api.Answer started =
                api.post("/api/comparisons", Map.of("suite", "tiny", "baseline", "baseline", "candidate", "fp8-index"));
        String noise = started.text("/runs/baseline_again");
        assertThat(api.post("/api/runs/" + noise + "/cancel", Map.of()).status())
                .isEqualTo(200);

        String path = started.text("/links/self");
        awaitState(path, "failed");
        assertThat(api.get(path).text("/failure")).isEqualTo("Its run " + noise + " was cancelled.");
        Api.Answer report = api.get(path + "/export.json");
        assertThat(report.status()).isEqualTo(409);
        assertThat(report.text("/error/code")).isEqualTo("comparison_not_finished");
    }

    @Test
    void theModelHereIsComparedWithAServerElsewhereByTheSamePrompts() throws Exception {
        // given a server that does not tell its checkpoint
        Map<String, Object> target = Map.of(
                "name",
                "elsewhere",
                "kind",
                "openai",
                "url",
                server.url(),
                "key",
                TestServer.KEY,
                "model",
                server.target().name(),
                "edges",
                Map.of("window", 16, "budget", 32));
        assertThat(api.post("/api/targets", target).status()).isEqualTo(200);

        // when
        Api.Answer started = api.post(
                "/api/comparisons",
                Map.of("suite", "tiny", "baseline", Map.of("target", "elsewhere"), "candidate", "baseline"));

        // then
        String path = started.text("/links/self");
        awaitState(path, "finished");
        JsonNode report = api.get(path).json().path("report");
        assertThat(report.path("left_out")).hasSize(2);
        assertThat(report.path("notes").toString())
                .contains("does not tell its checkpoint", "Whether elsewhere answered", "cache of its own");
        assertThat(report.at("/baseline/target/kind").asString()).isEqualTo("openai");
        assertThat(started.text("/command")).startsWith("curl -sS").contains("\"target\":\"elsewhere\"");
    }

    @Test
    void aServerGoesOnWhereAnotherOneEnded() throws Exception {
        // given a comparison whose server ends before any of its runs does
        String shared = TestDatabase.create();
        String path;
        try (TestServer before = TestServer.loading(TestDatabase.named(shared), TestServer.KEY)) {
            before.load(folder, 2, 2);
            Api early = new Api(before);
            early.post("/api/suites", suite("tiny"));
            path = early.post(
                            "/api/comparisons",
                            Map.of("suite", "tiny", "baseline", "baseline", "candidate", "fp32-index"))
                    .text("/links/self");
            assertThat(early.get(path).text("/state")).isEqualTo("running");
        }

        // when
        try (TestServer after = TestServer.loading(TestDatabase.named(shared), TestServer.KEY)) {
            after.load(folder, 2, 2);
            Api late = new Api(after);

            // then
            await().atMost(PATIENCE).until(() -> late.get(path).text("/state").equals("finished"));
            assertThat(late.get(path).text("/verdict")).isEqualTo("NOT ENOUGH EVIDENCE");
        }
    }

    @Test
    void whatCannotBeComparedIsRefusedAndLeavesNoRun() throws Exception {
        int before = runs();
        Map<String, Object> right = Map.of("suite", "tiny", "baseline", "baseline", "candidate", "fp8-index");

        assertThat(refused(with(right, "suite", "tinny")).text("/error/code")).isEqualTo("suite_not_found");
        assertThat(refused(with(right, "candidate", "fp9-index")).text("/error/code"))
                .isEqualTo("run_config_not_found");
        assertThat(refused(with(right, "candidate", 9)).text("/error/param")).isEqualTo("candidate");
        assertThat(refused(with(right, "candidate", Map.of())).text("/error/param"))
                .isEqualTo("candidate.run_config");
        assertThat(refused(with(right, "candidate", Map.of("run_config", "baseline", "target", "lab")))
                        .text("/error/message"))
                .contains("or a target with flags of its own");
        assertThat(refused(with(right, "margin", 5)).text("/error/message")).contains("0.001", "0.5");
        assertThat(refused(with(right, "seeds", List.of())).text("/error/param"))
                .isEqualTo("seeds");
        assertThat(refused(with(right, "purpose", "noise")).text("/error/param"))
                .isEqualTo("purpose");
        assertThat(refused(with(right, "more", 1)).text("/error/code")).isEqualTo("unknown_parameter");
        assertThat(refused(Map.of("suite", "tiny", "baseline", "baseline")).text("/error/param"))
                .isEqualTo("candidate");
        assertThat(runs()).isEqualTo(before);
        assertThat(api.get("/api/comparisons/" + UUID.randomUUID()).status()).isEqualTo(404);
        assertThat(api.get("/api/comparisons/x/report.md").status()).isEqualTo(404);
    }

    @Test
    void aComparisonThatCannotBeKeptLeavesNoRun() throws Exception {
        // given
        int before = runs();
        sql("ALTER TABLE recall_comparison ADD CONSTRAINT full_disk CHECK (false) NOT VALID");
        try {
            // when
            Api.Answer answer = api.post(
                    "/api/comparisons", Map.of("suite", "tiny", "baseline", "baseline", "candidate", "fp8-index"));

            // then
            assertThat(answer.status()).isGreaterThanOrEqualTo(500);
            assertThat(runs()).isEqualTo(before);
        } finally {
            sql("ALTER TABLE recall_comparison DROP CONSTRAINT full_disk");
        }
    }

    @Test
    void aComparisonAndItsRunsAreStoredInOneTransaction() throws Exception {
        // given
        sql("CREATE TABLE made (id uuid, made_in xid8)");
        sql("CREATE FUNCTION note_made() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " INSERT INTO made VALUES (NEW.id, pg_current_xact_id()); RETURN NEW; END $$");
        for (String table : List.of("run", "recall_comparison")) {
            sql("CREATE TRIGGER made AFTER INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION note_made()");
        }

        // when
        Api.Answer started =
                api.post("/api/comparisons", Map.of("suite", "tiny", "baseline", "baseline", "candidate", "fp8-index"));

        // then: a server that is killed in between leaves nothing
        List<UUID> ids = Stream.of("/id", "/runs/baseline", "/runs/candidate", "/runs/baseline_again")
                .map(started::text)
                .map(UUID::fromString)
                .toList();
        List<String> transactions =
                database.now(client -> client.sql("SELECT made_in::text FROM made WHERE id = ANY(:ids)")
                        .param("ids", ids.toArray(UUID[]::new))
                        .query(String.class)
                        .list());
        assertThat(transactions).hasSize(4).containsOnly(transactions.get(0));
        for (UUID run : ids.subList(1, 4)) {
            api.post("/api/runs/" + run + "/cancel", Map.of());
        }
        sql("DROP TABLE made CASCADE");
        sql("DROP FUNCTION note_made CASCADE");
    }

    private static Api.Answer refused(Map<String, Object> body) throws Exception {
        Api.Answer answer = api.post("/api/comparisons", body);
        assertThat(answer.status()).as(answer.json().toString()).isIn(400, 404);
        return answer;
    }

    private static Map<String, Object> with(Map<String, Object> body, String field, Object value) {
        Map<String, Object> changed = new HashMap<>(body);
        changed.put(field, value);
        return changed;
    }

    private static int runs() {
        return database.now(client ->
                client.sql("SELECT count(*) FROM run").query(Integer.class).single());
    }

    private static void sql(String statement) {
        database.now(client -> client.sql(statement).update());
    }
}
