package dev.plumbline.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.chat.SchemaCheck;
import dev.plumbline.database.Database;
import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Schedules over HTTP: made, changed, fired and deleted; and what a real comparison comes to. */
class SchedulesTest {
    private static final String PATH = "/api/schedules";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static String database;
    private static TestServer server;
    private static Api api;
    private static SchemaCheck schemas;

    private final String name = "s" + UUID.randomUUID();

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        database = TestDatabase.create();
        server = TestServer.loading(TestDatabase.named(database), TestServer.KEY);
        server.load(folder, 2, 2);
        api = new Api(server);
        schemas = new SchemaCheck(api.get("/v3/api-docs").json());
        Map<String, ?> stratum = Map.of(
                "name",
                "one",
                "task",
                "single",
                "lengths",
                List.of(600),
                "placements",
                2,
                "haystacks",
                1,
                "questions",
                2);
        assertThat(api.post("/api/suites", Map.of("name", "tiny", "strata", List.of(stratum)))
                        .status())
                .isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Map<String, Object> schedule() {
        return new HashMap<>(Map.of(
                "name",
                name,
                "suite",
                "tiny",
                "candidate",
                "fp8-index",
                "baseline",
                "baseline@1",
                "cron",
                "nightly",
                "zone",
                "Europe/Berlin"));
    }

    private static JsonNode firing(String schedule) throws Exception {
        return api.get(PATH + "/" + schedule + "/firings").json().path("data").get(0);
    }

    @Test
    void aScheduleIsMadeReadReplacedListedAndDeleted() throws Exception {
        // given
        assertThat(schemas.problems("NewSchedule", JsonMapper.shared().valueToTree(schedule())))
                .isEmpty();

        // when
        Api.Answer made = api.post(PATH, schedule());

        // then
        String id = made.text("/id");
        assertThat(made.status()).isEqualTo(201);
        assertThat(schemas.problems("Schedule", made.json())).isEmpty();
        assertThat(made.text("/cron")).isEqualTo("0 2 * * *");
        assertThat(made.text("/author")).isEqualTo("admin");
        assertThat(made.json().path("last").isNull()).isTrue();
        Instant next = Instant.ofEpochSecond(made.json().path("next").asLong());
        assertThat(next).isBetween(Instant.now(), Instant.now().plus(Duration.ofHours(26)));
        assertThat(api.get(PATH + "/" + id).json()).isEqualTo(made.json());
        assertThat(api.get(PATH + "?limit=100").each("id")).contains(id);
        assertThat(api.post(PATH, schedule()).text("/error/code")).isEqualTo("schedule_exists");

        Map<String, Object> changed = schedule();
        changed.remove("cron");
        changed.put("on_activation", true);
        changed.put("candidate", null);
        Api.Answer replaced = api.send("PUT", PATH + "/" + id, changed);
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.json().path("next").isNull()).isTrue();
        assertThat(replaced.json().path("candidate").isNull()).isTrue();

        assertThat(schemas.problems("Deleted", api.delete(PATH + "/" + id).json()))
                .isEmpty();
        for (Api.Answer gone : List.of(
                api.get(PATH + "/" + id),
                api.delete(PATH + "/" + id),
                api.send("PUT", PATH + "/" + id, schedule()),
                api.send("POST", PATH + "/" + id + "/run-now", Map.of()),
                api.get(PATH + "/" + id + "/firings"),
                api.get(PATH + "/none"))) {
            assertThat(gone.status()).isEqualTo(404);
            assertThat(gone.text("/error/param")).isEqualTo("schedule");
        }
    }

    @Test
    void runNowComparesForReal() throws Exception {
        // given
        String id = api.post(PATH, schedule()).text("/id");

        // when
        Api.Answer begun = api.send("POST", PATH + "/" + id + "/run-now", Map.of());

        // then
        assertThat(begun.status()).isEqualTo(202);
        assertThat(begun.text("/state")).isEqualTo("running");
        await().atMost(PATIENCE).until(() -> firing(id).path("state").asString().equals("ended"));
        JsonNode ended = firing(id);
        assertThat(schemas.problems("ScheduleFiring", ended)).isEmpty();
        assertThat(ended.path("suite").asString()).isEqualTo("tiny/1");
        assertThat(ended.path("candidate").asString()).isEqualTo("fp8-index@1");
        assertThat(ended.path("verdict").asString()).as(ended.toString()).isEqualTo("not_enough_evidence");
        assertThat(ended.path("changed").asBoolean()).isTrue();
        Api.Answer comparison =
                api.get("/api/comparisons/" + ended.path("comparison").asString());
        assertThat(comparison.text("/state")).isEqualTo("finished");
        Api.Answer after = api.get(PATH + "/" + id);
        assertThat(after.text("/last/verdict")).isEqualTo("not_enough_evidence");
        assertThat(after.text("/last/firing")).isEqualTo(ended.path("id").asString());
        assertThat(schemas.problems("Schedule", after.json())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "name      | null         | 400 | name      | Missing required parameter",
                "cron      | 99 * * * *   | 400 | cron      | allowed: nightly",
                "cron      | null         | 400 | cron      | Neither",
                "zone      | Europe/Belin | 400 | zone      | near it are: Europe/Berlin",
                "suite     | tinny        | 404 | suite     | near it are: tiny",
                "suite     | tiny/7       | 404 | suite     | it has: 1",
                "candidate | fp8-indx     | 404 | candidate | near it are: fp8-index",
                "candidate | FP8          | 400 | candidate | NAME or NAME@VERSION",
                "baseline  | baseline     | 400 | baseline  | NAME@VERSION, since",
                "baseline  | baseline@99  | 404 | baseline  | has no version 99",
                "margin    | much         | 400 | margin    | a number from 0.001 to 0.5",
                "every     | day          | 400 | every     | Unknown parameter",
            })
    void wrongFieldsAreRefusedByName(String field, String value, int status, String param, String words)
            throws Exception {
        Map<String, Object> wrong = schedule();
        wrong.put(field, value);

        Api.Answer refused = api.post(PATH, wrong);

        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.text("/error/param")).isEqualTo(param);
        assertThat(refused.text("/error/message")).contains(words);
    }

    @Test
    void aWebhookWithoutAUrlIsRefusedRatherThanForgotten() throws Exception {
        Map<String, Object> wrong = schedule();
        wrong.put("webhook", Map.of());

        Api.Answer refused = api.post(PATH, wrong);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/error/param")).isEqualTo("webhook.url");
    }

    @Test
    void aWebhookLeadsNowhereInsideUnlessTheOperatorAllowsIt() throws Exception {
        for (String url :
                List.of("http://127.0.0.1:9/", "http://localhost/", "ftp://example.com/", "http://a@1.1.1.1/")) {
            Map<String, Object> wrong = schedule();
            wrong.put("webhook", Map.of("url", url));
            Api.Answer refused = api.post(PATH, wrong);
            assertThat(refused.status()).as(url).isEqualTo(400);
            assertThat(refused.text("/error/param")).isEqualTo("webhook.url");
        }
        Map<String, Object> right = schedule();
        right.put("webhook", Map.of("url", "https://1.1.1.1/hook"));
        Api.Answer made = api.post(PATH, right);
        assertThat(made.text("/webhook/secret")).startsWith("whsec_");
        assertThat(schemas.problems("Schedule", made.json())).isEmpty();
        Api.Answer read = api.get(PATH + "/" + made.text("/id"));
        assertThat(read.text("/webhook/url")).isEqualTo("https://1.1.1.1/hook");
        assertThat(read.json().path("webhook").has("secret")).isFalse();
    }

    @Test
    void allOfItNeedsTheScopeOperate() throws Exception {
        assertThat(new Api(with(Scope.OPERATE)).get(PATH).status()).isEqualTo(200);
        assertThat(new Api(with(Scope.CHAT)).get(PATH).text("/error/code")).isEqualTo("missing_scope");
        assertThat(new Api(with(Scope.ADMIN)).post(PATH, schedule()).status()).isEqualTo(403);
    }

    private static TestServer with(Scope scope) {
        try (Database own = TestDatabase.named(database)) {
            return server.with(TestUser.create(own, scope).key());
        }
    }
}
