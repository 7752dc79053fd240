package dev.plumbline.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.chat.Api;
import dev.plumbline.chat.SchemaCheck;
import dev.plumbline.database.Database;
import dev.plumbline.recall.suite.BuiltInSuites;
import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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

/** Suites over HTTP, on a real database. */
class SuitesTest {
    private static final String PATH = "/api/suites";

    private static String database;
    private static TestServer server;
    private static Api api;
    private static SchemaCheck schemas;

    private final String name = "t" + UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        database = TestDatabase.create();
        server = TestServer.loading(TestDatabase.named(database), TestServer.KEY);
        server.load(folder, 2, 2);
        api = new Api(server);
        schemas = new SchemaCheck(api.get("/v3/api-docs").json());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Map<String, Object> suite(Object lengths) {
        Map<String, Object> stratum = new LinkedHashMap<>(Map.of(
                "name",
                "one",
                "task",
                "multikey",
                "lengths",
                lengths,
                "placements",
                8,
                "haystacks",
                4,
                "questions",
                8));
        stratum.put("phases", List.of(0, 1, 2, 3));
        return new LinkedHashMap<>(Map.of("name", name, "strata", List.of(stratum)));
    }

    private static Api.Answer yaml(String document) throws Exception {
        return api.send(server.request(PATH)
                .header("Content-Type", "application/yaml")
                .POST(HttpRequest.BodyPublishers.ofString(document)));
    }

    @Test
    void aNewDatabaseHasTheBuiltInSuites() throws Exception {
        Api.Answer list = api.get(PATH + "?limit=100");

        assertThat(list.each("id"))
                .containsAll(BuiltInSuites.all().stream().map(s -> s.label()).toList());
        assertThat(schemas.problems("SuiteList", list.json())).isEmpty();
        Api.Answer smoke = api.get(PATH + "/smoke");
        assertThat(schemas.problems("Suite", smoke.json())).isEmpty();
        assertThat(smoke.json().path("cells").asInt()).isEqualTo(384);
        assertThat(smoke.json().path("built_in").asBoolean()).isTrue();
        assertThat(smoke.text("/hash"))
                .isEqualTo(BuiltInSuites.find("smoke").orElseThrow().hash());
    }

    @Test
    void aChangeMakesTheNextVersionAndTheSameAgainNone() throws Exception {
        assertThat(schemas.problems("NewSuite", JsonMapper.shared().valueToTree(suite(List.of("1K")))))
                .isEmpty();
        Api.Answer first = api.post(PATH, suite(List.of("1K")));
        assertThat(first.text("/id")).isEqualTo(name + "/1");
        assertThat(first.text("/author")).isEqualTo("admin");
        assertThat(first.json().at("/strata/0/cells").asInt()).isEqualTo(32);
        assertThat(api.post(PATH, suite(List.of(1024)))
                        .json()
                        .path("new_version")
                        .asBoolean())
                .isFalse();
        Api.Answer changed = api.post(PATH, suite(List.of("1K", "budget+1")));
        assertThat(changed.text("/id")).isEqualTo(name + "/2");
        assertThat(changed.json().path("new_version").asBoolean()).isTrue();

        assertThat(api.get(PATH + "/" + name).text("/version")).isEqualTo("2");
        assertThat(api.get(PATH + "/" + name + "?version=1").text("/strata/0/lengths/0"))
                .isEqualTo("1024");
        assertThat(api.get(PATH + "/" + name + "/versions").each("id")).containsExactly(name + "/2", name + "/1");
        assertThat(api.get(PATH + "/" + name + "/versions?limit=1&after=" + name + "/2")
                        .each("id"))
                .containsExactly(name + "/1");
        assertThat(api.get(PATH + "?limit=100").each("id"))
                .contains(name + "/2")
                .doesNotContain(name + "/1");
        assertThat(api.get(PATH + "?after=smoke&limit=1").each("name")).containsExactly("story");
    }

    @Test
    void aSuiteGoesOutAsYamlAndComesInAsTheSameVersion() throws Exception {
        String hostile = "'); DROP TABLE suite; -- <img src=x onerror=alert(1)>\n# no comment";
        Map<String, Object> sent = suite(List.of("1K"));
        sent.put("description", hostile);
        sent.put("version", 7);
        api.post(PATH, sent);
        HttpResponse<String> file =
                server.send(server.request(PATH + "/" + name + "/export.yaml").GET());

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/yaml");
        assertThat(file.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename=\"" + name + "-7.yaml\"");
        Api.Answer again = yaml(file.body());
        assertThat(again.text("/id")).isEqualTo(name + "/7");
        assertThat(again.json().path("new_version").asBoolean()).isFalse();
        assertThat(again.text("/description")).isEqualTo(hostile);
        assertThat(yaml(file.body().replace("1024", "2048")).text("/id")).isEqualTo(name + "/8");
        assertThat(yaml("name: &a x\n").text("/error/code")).isEqualTo("invalid_yaml");
        assertThat(api.get(PATH + "/" + name + "/export.yaml?version=1").status())
                .isEqualTo(404);
    }

    @Test
    void aPlanCountsWhatTheServedModelWouldBeAsked() throws Exception {
        Api.Answer plan = api.get(PATH + "/smoke/plan?seeds=1,2");

        assertThat(schemas.problems("SuitePlan", plan.json())).isEmpty();
        assertThat(plan.json().path("cells").asInt()).isEqualTo(768);
        assertThat(plan.text("/suite")).isEqualTo("smoke/1");
        JsonNode stratum = plan.json().at("/strata/2");
        assertThat(stratum.path("cells").asInt()).isEqualTo(256);
        assertThat(stratum.path("texts").asInt())
                .as("16 haystacks of 8 questions, 2 seeds")
                .isEqualTo(32);
        assertThat(stratum.path("lengths").valueStream().map(l -> l.path("tokens")
                        .asInt()))
                .containsExactly(4096, 4097, 4098, 4099);
        int context = plan.json().path("max_context").asInt();
        assertThat(plan.json().path("longest").asInt()).isEqualTo(4099);
        assertThat(plan.json().path("fits").asBoolean()).isEqualTo(4099 < context);
        api.post(PATH, suite(List.of(context)));
        assertThat(api.get(PATH + "/" + name + "/plan").json().path("fits").asBoolean())
                .as("no room for an answer")
                .isFalse();
        assertThat(api.get(PATH + "/smoke/plan?seeds=1,,2").text("/error/param"))
                .isEqualTo("seeds");
        assertThat(api.get(PATH + "/smoke/plan?seeds=4,4").text("/error/param")).isEqualTo("seeds");
    }

    @Test
    void whatDoesNotExistIsNotFoundAndNearNamesAreTold() throws Exception {
        Api.Answer missing = api.get(PATH + "/smok");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.text("/error/code")).isEqualTo("suite_not_found");
        assertThat(missing.text("/error/param")).isEqualTo("suite");
        assertThat(missing.text("/error/message"))
                .contains("near it are: smoke")
                .contains("there are: edges, nightly");
        assertThat(api.get(PATH + "/smoke?version=99").text("/error/message")).contains("has no version 99; it has: 1");
        assertThat(api.get(PATH + "/smoke?version=0").text("/error/param")).isEqualTo("version");
        assertThat(api.get(PATH + "/SMOKE").status()).isEqualTo(404);
        assertThat(api.get(PATH + "/smoke@1").status()).isEqualTo(404);
        assertThat(api.get(PATH + "/nothing/versions").status()).isEqualTo(404);
        assertThat(api.delete(PATH + "/smoke").status()).isEqualTo(405);
        assertThat(api.get(PATH + "?query=x").text("/error/code")).isEqualTo("unknown_parameter");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lengths: [4K]  | lengths: [4G]        | strata[0].lengths | window-1 or 2*budget+1",
                "task: single   | task: singel         | strata[0].task    | single, multikey",
                "version: 1     | version: 0           | version           | an integer from 1",
                "version: 1     | version: 1000001     | version           | 1 to 1000000",
                "questions: 1   | questions: 3, odd: 1 | strata[0].odd     | Unknown parameter",
                "haystacks: 1   | haystacks: many      | strata[0].haystacks | an integer from 1",
                "name: x        | name: X              | name              | a-z, 0-9 and hyphens",
            })
    void wrongFieldsAreRefusedByName(String right, String wrong, String field, String allowed) throws Exception {
        String document = "name: x\nversion: 1\nstrata: [{name: s, task: single, lengths: [4K], placements: [start],"
                + " haystacks: 1, questions: 1}]";
        Api.Answer refused = yaml(document.replace(right, wrong));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/error/param")).isEqualTo(field);
        assertThat(refused.text("/error/message")).contains(allowed);
        assertThat(api.get(PATH + "/x").status()).isEqualTo(404);
    }

    @Test
    void readingNeedsChatOrOperateAndChangingOperate() throws Exception {
        Api chat = new Api(with(Scope.CHAT));
        Api operate = new Api(with(Scope.OPERATE));

        assertThat(chat.get(PATH).status()).isEqualTo(200);
        assertThat(operate.get(PATH + "/smoke/plan").status()).isEqualTo(200);
        assertThat(new Api(with(Scope.ADMIN)).get(PATH).status()).isEqualTo(403);
        assertThat(chat.post(PATH, suite(List.of(300))).text("/error/code")).isEqualTo("missing_scope");
        assertThat(operate.post(PATH, suite(List.of(300))).status()).isEqualTo(200);
    }

    private static TestServer with(Scope scope) {
        try (Database own = TestDatabase.named(database)) {
            return server.with(TestUser.create(own, scope).key());
        }
    }
}
