package dev.plumbline.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.chat.Api;
import dev.plumbline.database.Database;
import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Run configs over HTTP, on a real database: made, versioned, compared, written as YAML; never changed. */
class RunConfigsTest {
    private static final String PATH = "/api/run-configs";

    private static String database;
    private static TestServer server;
    private static Api api;

    private final String name = "t" + UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        database = TestDatabase.create();
        server = TestServer.loading(TestDatabase.named(database), TestServer.KEY);
        server.load(folder, 2, 2);
        api = new Api(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aNewDatabaseHasTheSeeds() throws Exception {
        JsonNode seeds = api.get(PATH + "?limit=100").json();
        Map<String, String> profiles = seeds.path("data")
                .valueStream()
                .filter(config -> config.path("author").asString().equals("plumbline"))
                .collect(Collectors.toMap(config -> config.path("id").asString(), config -> config.path("profile")
                        .toString()));

        assertThat(profiles)
                .containsOnlyKeys(
                        "baseline@1",
                        "deepseek-reference@1",
                        "double-budget@1",
                        "fast-all@1",
                        "fp32-all@1",
                        "fp32-index@1",
                        "fp8-index@1",
                        "mxfp4-index@1",
                        "sglang-default@1")
                .containsEntry("baseline@1", "{}")
                .containsEntry("fp32-index@1", "{\"index_key_dtype\":\"fp32\"}")
                .containsEntry("double-budget@1", "{\"index_topk\":\"2x\"}")
                .containsEntry("deepseek-reference@1", "{\"numerics\":\"qat\"}");
    }

    @Test
    void aChangeMakesTheNextVersionAndTheSameAgainNone() throws Exception {
        Map<String, ?> first = Map.of("name", name, "profile", Map.of("index_topk", 4), "description", "d");
        Map<String, ?> second = Map.of("name", name, "profile", Map.of("index_topk", 5), "description", "d");

        assertThat(api.post(PATH, first).text("/id")).isEqualTo(name + "@1");
        Api.Answer same = api.post(PATH, first);
        assertThat(same.text("/id")).isEqualTo(name + "@1");
        assertThat(same.json().path("new_version").asBoolean()).isFalse();
        Api.Answer changed = api.post(PATH, second);
        assertThat(changed.text("/id")).isEqualTo(name + "@2");
        assertThat(changed.json().path("new_version").asBoolean()).isTrue();
        assertThat(changed.text("/author")).isEqualTo("admin");
        assertThat(api.post(PATH, first).text("/id")).isEqualTo(name + "@3");

        assertThat(api.get(PATH + "/" + name).text("/version")).isEqualTo("3");
        assertThat(api.get(PATH + "/" + name + "@2").text("/profile/index_topk"))
                .isEqualTo("5");
        assertThat(api.get(PATH + "/" + name + "/versions").each("id"))
                .containsExactly(name + "@3", name + "@2", name + "@1");
        assertThat(api.get(PATH + "/" + name + "/versions?limit=1&after=" + name + "@3")
                        .each("id"))
                .containsExactly(name + "@2");
        assertThat(api.get(PATH + "?limit=100").each("id"))
                .contains(name + "@3")
                .doesNotContain(name + "@2");
    }

    @Test
    void ofManyWritersAtOnceEachGetsAVersionOfItsOwn() throws Exception {
        List<CompletableFuture<String>> writers = new ArrayList<>();
        for (int writer = 1; writer <= 8; writer++) {
            Map<String, ?> body = Map.of("name", name, "profile", Map.of("index_topk", writer));
            writers.add(CompletableFuture.supplyAsync(() -> id(body)));
        }
        Set<String> ids = new HashSet<>();
        writers.forEach(writer -> ids.add(writer.join()));

        assertThat(ids).hasSize(8);
        assertThat(api.get(PATH + "/" + name).text("/version")).isEqualTo("8");
    }

    private static String id(Map<String, ?> body) {
        try {
            return api.post(PATH, body).text("/id");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void listsGoOnWhereTheyEnded() throws Exception {
        List<String> names = new ArrayList<>();
        String after = "";
        boolean more = true;
        while (more) {
            JsonNode page = api.get(PATH + "?limit=4" + after).json();
            page.path("data").forEach(config -> names.add(config.path("name").asString()));
            after = "&after=" + page.path("last_id").asString();
            more = page.path("has_more").asBoolean();
        }
        assertThat(names).isSorted().doesNotHaveDuplicates().contains("baseline", "sglang-default");
        assertThat(api.get(PATH + "?after=fp8-index&limit=1").each("name")).containsExactly("mxfp4-index");
        assertThat(api.get(PATH + "?after=%20").text("/error/param")).isEqualTo("after");
        assertThat(api.get(PATH + "?query=x").text("/error/code")).isEqualTo("unknown_parameter");
    }

    @Test
    void aDiffHasBothValuesOfEveryFlagAndWhereTheyComeFrom() throws Exception {
        Api.Answer diff = api.get(PATH + "/diff?a=baseline&b=double-budget@1");
        Map<String, JsonNode> flags = diff.json()
                .path("flags")
                .valueStream()
                .collect(Collectors.toMap(flag -> flag.path("name").asString(), flag -> flag));

        assertThat(diff.text("/a")).isEqualTo("baseline@1");
        assertThat(flags).hasSize(16);
        JsonNode budget = flags.get("index_topk");
        assertThat(budget.at("/a/value").asString()).isEqualTo("8");
        assertThat(budget.at("/a/origin").asString()).isEqualTo("checkpoint");
        assertThat(budget.at("/b/value").asString()).isEqualTo("16");
        assertThat(budget.at("/b/origin").asString()).isEqualTo("run config");
        assertThat(budget.path("differs").asBoolean()).isTrue();
        assertThat(flags.get("kv_dtype").path("differs").asBoolean()).isFalse();
        assertThat(flags.get("kv_dtype").at("/a/origin").asString()).isEqualTo("default");
        JsonNode rotation = api.get(PATH + "/diff?a=baseline&b=deepseek-reference")
                .json()
                .path("flags")
                .valueStream()
                .filter(flag -> flag.path("name").asString().equals("index_rotation"))
                .findFirst()
                .orElseThrow();
        assertThat(rotation.at("/b/value").asString()).isEqualTo("hadamard");
        assertThat(rotation.at("/b/origin").asString()).isEqualTo("run config");

        assertThat(api.get(PATH + "/diff?a=baseline").text("/error/param")).isEqualTo("b");
        assertThat(api.get(PATH + "/diff?a=baseline&b=basline").status()).isEqualTo(404);
        assertThat(api.get(PATH + "/diff?a=baseline&b=fp8-index&c=1").text("/error/code"))
                .isEqualTo("unknown_parameter");
    }

    @Test
    void aConfigGoesOutAsYamlAndComesInAsTheSameVersion() throws Exception {
        String hostile = "'); DROP TABLE run_config; -- <img src=x onerror=alert(1)>\n# no comment";
        api.post(
                PATH,
                Map.of(
                        "name",
                        name,
                        "description",
                        hostile,
                        "profile",
                        Map.of("index_topk", "3x", "kv_dtype", "fp32"),
                        "sampling",
                        Map.of("temperature", 0, "top_p", 0.5)));
        HttpResponse<String> file =
                server.send(server.request(PATH + "/" + name + ".yaml").GET());

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/yaml");
        assertThat(file.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename=\"" + name + "-1.yaml\"");
        Api.Answer again = yaml(file.body());
        assertThat(again.text("/id")).isEqualTo(name + "@1");
        assertThat(again.json().path("new_version").asBoolean()).isFalse();
        assertThat(again.text("/description")).isEqualTo(hostile);
        assertThat(yaml(file.body().replace("3x", "4x")).text("/id")).isEqualTo(name + "@2");
        assertThat(yaml("name: &a x\n").text("/error/code")).isEqualTo("invalid_yaml");
        assertThat(api.get(PATH + "/" + name + "@7.yaml").status()).isEqualTo(404);
    }

    private static Api.Answer yaml(String document) throws Exception {
        return api.send(server.request(PATH)
                .header("Content-Type", "application/yaml")
                .POST(HttpRequest.BodyPublishers.ofString(document)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fp8-indx",
                "nothing-like-it",
                "FP8-index",
                "fp8-index@2",
                "fp8-index@0",
                "%27%3B--",
                "a%00b",
                "x@y@z"
            })
    void whatDoesNotExistIsNotFound(String unknown) throws Exception {
        Api.Answer missing = api.get(PATH + "/" + unknown);

        assertThat(missing.status()).isIn(400, 404);
        assertThat(missing.json().path("error").path("message").asString()).isNotEmpty();
        if (unknown.equals("fp8-index@2")) {
            assertThat(missing.text("/error/message")).contains("has no version 2; allowed: 1.");
        }
        if (unknown.equals("nothing-like-it")) {
            assertThat(missing.text("/error/message")).contains("there are: baseline, ");
        }
        if (unknown.equals("fp8-indx")) {
            assertThat(missing.text("/error/code")).isEqualTo("run_config_not_found");
            assertThat(missing.text("/error/message")).contains("near it are: fp8-index");
        }
    }

    @Test
    void wrongFieldsAreRefusedByName() throws Exception {
        Map<String, ?> fp7 = Map.of("name", name, "profile", Map.of("index_key_dtype", "fp7"));
        Api.Answer refused = api.post(PATH, fp7);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/error/param")).isEqualTo("profile.index_key_dtype");
        assertThat(refused.text("/error/message")).contains("fp7").contains("fp32, bf16, fp8, mxfp4");
        assertThat(api.post(PATH, Map.of()).text("/error/code")).isEqualTo("missing_required_parameter");
        assertThat(api.post(PATH, Map.of("name", name, "x", 1)).text("/error/code"))
                .isEqualTo("unknown_parameter");
        HttpRequest.Builder half = server.request(PATH)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"" + name + "\",\"description\":\"\\ud83d\"}"));
        assertThat(api.send(half).text("/error/param")).isEqualTo("description");
        HttpRequest.Builder text = server.request(PATH)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("name: x"));
        assertThat(api.send(text).text("/error/message")).contains("allowed: application/json, application/yaml");
        assertThat(api.get(PATH + "/" + name).status()).isEqualTo(404);
        assertThat(api.delete(PATH + "/baseline").status()).isEqualTo(405);
        assertThat(api.get(PATH + "/rollback").text("/error/message")).contains("allowed: POST");
        assertThat(api.post(PATH + "/diff", Map.of()).text("/error/message")).contains("allowed: GET");
    }

    @Test
    void readingNeedsChatOrOperateAndChangingOperate() throws Exception {
        Api chat = new Api(with(Scope.CHAT));
        Api operate = new Api(with(Scope.OPERATE));
        Api admin = new Api(with(Scope.ADMIN));

        assertThat(chat.get(PATH).status()).isEqualTo(200);
        assertThat(operate.get(PATH + "/baseline").status()).isEqualTo(200);
        assertThat(admin.get(PATH).status()).isEqualTo(403);
        assertThat(chat.post(PATH, Map.of("name", name)).text("/error/code")).isEqualTo("missing_scope");
        assertThat(operate.post(PATH, Map.of("name", name)).status()).isEqualTo(200);
    }

    private static TestServer with(Scope scope) {
        try (Database own = TestDatabase.named(database)) {
            return server.with(TestUser.create(own, scope).key());
        }
    }
}
