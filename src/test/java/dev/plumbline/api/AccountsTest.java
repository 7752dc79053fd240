package dev.plumbline.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.database.Database;
import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys and users over the API, on a database of their own. */
class AccountsTest {
    private static final Duration SEEN = Duration.ofSeconds(5);
    private static final String HOSTILE = "'); DROP TABLE api_key; -- <script>alert(1)</script> \\ \"😀";
    private static final String PASSWORD = "correct horse";

    private static TestServer server;
    private static Database side;
    private static Api admin;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        String database = TestDatabase.create();
        side = TestDatabase.named(database);
        server = TestServer.loading(TestDatabase.named(database), TestServer.KEY);
        server.load(folder, 2, 2);
        admin = new Api(server);
    }

    @AfterAll
    static void stop() {
        server.close();
        side.close();
    }

    private static Api with(String key) {
        return new Api(server.with(key));
    }

    private static Api.Answer make(Map<String, ?> body) throws Exception {
        Api.Answer made = admin.post("/api/keys", body);
        assertThat(made.status()).as(made.json().toString()).isEqualTo(200);
        return made;
    }

    @ParameterizedTest
    @CsvSource({
        "CHAT, /v1/models",
        "CHAT, /v1/chat/completions",
        "CHAT, /api/conversations",
        "OPERATE, /actuator/prometheus",
        "OPERATE, /api/engine",
        "ADMIN, /api/keys",
        "ADMIN, /api/users",
    })
    void everyPathNeedsItsScopeAndNoOther(Scope needed, String path) throws Exception {
        for (Scope scope : Scope.values()) {
            var answer =
                    server.send(server.with(TestUser.create(side, scope).key()).request(path));
            if (scope == needed) {
                assertThat(answer.statusCode()).as(path).isEqualTo(200);
            } else {
                assertThat(answer.statusCode()).as("%s with %s", path, scope).isEqualTo(403);
                assertThat(answer.body())
                        .contains("\"code\":\"missing_scope\"", "'" + needed.text() + "'")
                        .contains("\"type\":\"invalid_request_error\"", "\"param\":null");
            }
        }
    }

    @Test
    void aKeyIsToldOnceAndRecognisedByItsFirstCharacters() throws Exception {
        Api.Answer made = make(Map.of("name", HOSTILE, "scopes", List.of("chat")));
        String key = made.text("/key");
        Api.Answer listed = admin.get("/api/keys?limit=100");

        assertThat(made.text("/name")).isEqualTo(HOSTILE);
        assertThat(key).startsWith(made.text("/prefix")).hasSizeGreaterThan(30);
        assertThat(listed.json().toString()).doesNotContain(key).doesNotContain("hash");
        assertThat(listed.each("id")).contains(made.text("/id"));
        assertThat(with(key).get("/v1/models").status()).isEqualTo(200);
        assertThat(rowsWith(key)).isZero();
        await().atMost(SEEN).untilAsserted(() -> assertThat(
                        admin.get("/api/keys?limit=100").json().path("data").valueStream())
                .anyMatch(item -> item.path("id").asString().equals(made.text("/id"))
                        && item.path("last_used").asLong() > 0));
    }

    /** Rows that have a text anywhere in them, in whatever form PostgreSQL shows it. */
    private static int rowsWith(String text) {
        return side.now(client -> client.sql("SELECT count(*) FROM api_key k"
                        + " WHERE position(:text IN k::text) > 0 OR position(:text IN encode(hash, 'escape')) > 0")
                .param("text", text)
                .query(Integer.class)
                .single());
    }

    @Test
    void aRevokedKeyIsRefusedWithinSeconds() throws Exception {
        Api.Answer made = make(Map.of("name", "short", "scopes", List.of("chat")));
        Api holder = with(made.text("/key"));
        assertThat(holder.get("/v1/models").status()).isEqualTo(200);

        Api.Answer revoked = admin.delete("/api/keys/" + made.text("/id"));

        assertThat(revoked.json().path("revoked_at").asLong()).isPositive();
        await().atMost(SEEN).until(() -> holder.get("/v1/models").status() == 401);
        assertThat(admin.delete("/api/keys/" + made.text("/id")).json())
                .isEqualTo(admin.delete("/api/keys/" + made.text("/id")).json());
        assertThat(admin.delete("/api/keys/" + UUID.randomUUID()).status()).isEqualTo(404);
        assertThat(admin.delete("/api/keys/1").status()).isEqualTo(404);
    }

    @Test
    void aKeyEndsAtItsTime() throws Exception {
        long soon = Instant.now().plusSeconds(3).getEpochSecond();
        Api holder = with(make(Map.of("name", "n", "scopes", List.of("chat"), "expires_at", soon))
                .text("/key"));

        assertThat(holder.get("/v1/models").status()).isEqualTo(200);
        await().atMost(SEEN).until(() -> holder.get("/v1/models").status() == 401);
        assertThat(Instant.now()).isAfterOrEqualTo(Instant.ofEpochSecond(soon));
    }

    @Test
    void aKeyMayDoNoMoreThanItsUserWhoeverChangesFirst() throws Exception {
        String name = "u" + UUID.randomUUID();
        Api.Answer user = admin.post(
                "/api/users", Map.of("name", name, "password", PASSWORD, "scopes", List.of("chat", "operate")));
        Map<String, Object> wanted = Map.of("name", "k", "user", name, "scopes", List.of("chat", "operate"));
        Api holder = with(make(wanted).text("/key"));

        Api.Answer refused = admin.post("/api/keys", Map.of("name", "k", "user", name, "scopes", List.of("admin")));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/error/param")).isEqualTo("scopes");
        assertThat(holder.get("/api/engine").status()).isEqualTo(200);
        String path = "/api/users/" + user.text("/id");
        assertThat(admin.patch(path, Map.of("scopes", List.of("chat"))).status())
                .isEqualTo(200);
        await().atMost(SEEN).until(() -> holder.get("/api/engine").status() == 403);
        assertThat(holder.get("/v1/models").status()).isEqualTo(200);
        assertThat(admin.patch(path, Map.of("disabled", true))
                        .json()
                        .path("disabled")
                        .asBoolean())
                .isTrue();
        await().atMost(SEEN).until(() -> holder.get("/v1/models").status() == 401);
    }

    @Test
    void twoKeysOfAUserShareTheHistoryThatNobodyElseSees() throws Exception {
        String name = "u" + UUID.randomUUID();
        admin.post("/api/users", Map.of("name", name, "password", PASSWORD, "scopes", List.of("chat")));
        Map<String, Object> wanted = Map.of("name", "k", "user", name, "scopes", List.of("chat"));
        Api first = with(make(wanted).text("/key"));
        Api second = with(make(wanted).text("/key"));
        String id = first.post("/api/conversations", Map.of("title", "ours")).text("/id");

        assertThat(second.get("/api/conversations/" + id).text("/title")).isEqualTo("ours");
        assertThat(admin.get("/api/conversations/" + id).status()).isEqualTo(404);
        assertThat(with(TestUser.create(side, Scope.CHAT).key())
                        .get("/api/conversations/" + id)
                        .status())
                .isEqualTo(404);
    }

    @Test
    void theLastAdministratorStays() throws Exception {
        String first = admin.get("/api/users?limit=1").text("/data/0/id");
        side.now(client -> client.sql("UPDATE app_user SET scopes = '{chat}' WHERE name <> 'admin'")
                .update());

        for (Map<String, ?> change : List.of(Map.of("disabled", true), Map.of("scopes", List.of("chat", "operate")))) {
            Api.Answer refused = admin.patch("/api/users/" + first, change);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("/error/message")).contains("last user with the scope 'admin'");
        }
        Api.Answer other = admin.post(
                "/api/users",
                Map.of("name", "u" + UUID.randomUUID(), "password", PASSWORD, "scopes", List.of("admin")));
        assertThat(admin.patch("/api/users/" + first, Map.of("disabled", true)).status())
                .isEqualTo(200);
        assertThat(admin.patch("/api/users/" + other.text("/id"), Map.of("disabled", true))
                        .status())
                .isEqualTo(400);
        assertThat(admin.patch("/api/users/" + first, Map.of("disabled", false)).status())
                .isEqualTo(200);
    }

    @Test
    void namesAreTakenInAnyCaseAndListedInPages() throws Exception {
        String name = "Zoë." + UUID.randomUUID();
        Map<String, Object> body = Map.of("name", name, "password", PASSWORD, "scopes", List.of("chat"));
        Api.Answer user = admin.post("/api/users", body);

        assertThat(user.text("/name")).isEqualTo(name);
        assertThat(user.json().toString()).doesNotContain(PASSWORD).doesNotContain("bcrypt");
        Api.Answer again = admin.post(
                "/api/users",
                Map.of("name", name.toUpperCase(Locale.ROOT), "password", PASSWORD, "scopes", List.of("chat")));
        assertThat(again.text("/error/param")).isEqualTo("name");
        assertThat(admin.get("/api/users?order=desc&limit=1")
                        .json()
                        .path("has_more")
                        .asBoolean())
                .isTrue();
        assertThat(admin.get("/api/users?after=" + UUID.randomUUID()).text("/error/param"))
                .isEqualTo("after");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/keys | {'scopes':['chat']} | name",
                "/api/keys | {'name':'','scopes':['chat']} | name",
                "/api/keys | {'name':'a\\u0000b','scopes':['chat']} | name",
                "/api/keys | {'name':'k','scopes':[]} | scopes",
                "/api/keys | {'name':'k','scopes':['root']} | scopes.0",
                "/api/keys | {'name':'k','scopes':'chat'} | scopes",
                "/api/keys | {'name':'k','scopes':['chat'],'expires_at':1} | expires_at",
                "/api/keys | {'name':'k','scopes':['chat'],'rate_limit_per_minute':0} | rate_limit_per_minute",
                "/api/keys | {'name':'k','scopes':['chat'],'user':'nobody'} | user",
                "/api/keys | {'name':'k','scopes':['chat'],'key':'mine'} | key",
                "/api/users | {'name':'a b','password':'correct horse','scopes':['chat']} | name",
                "/api/users | {'name':'<b>','password':'correct horse','scopes':['chat']} | name",
                "/api/users | {'name':'ab','password':'short-secret-','scopes':['chat','x']} | scopes.1",
                "/api/users | {'name':'ab','password':'tiny-secret','scopes':['chat']} | password",
                "/api/users | {'name':'ab','password':77123456789012,'scopes':['chat']} | password",
                "/api/users | {'name':'ab','scopes':['chat']} | password",
            })
    void wrongFieldsAreNamedAndPasswordsAreNot(String path, String body, String param) throws Exception {
        var response = server.send(server.request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"'))));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(response.body()).contains("\"param\":\"" + param + "\"");
        assertThat(response.body()).doesNotContain("secret").doesNotContain("7712345");
    }
}
