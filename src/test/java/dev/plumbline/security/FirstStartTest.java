package dev.plumbline.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.database.Database;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The administrator's secrets: told once, kept as hashes, replaced on request; and what they own stays theirs. */
class FirstStartTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final String database = TestDatabase.create();
    private final List<Credentials> announced = new ArrayList<>();

    /** Without a key of the operator's. */
    private TestServer start(Database used) {
        return TestServer.loading(used, "none", new Access(Optional.empty(), null, announced::add), false);
    }

    private static int status(TestServer server, String key, String path) throws Exception {
        return server.send(server.with(key).request(path).GET()).statusCode();
    }

    @Test
    void theSecretsAreToldOnceAndTheHistoryOutlivesTheServerAndTheKey() throws Exception {
        String id;
        try (TestServer server = start(TestDatabase.named(database))) {
            String key = announced.get(0).key();
            id = create(server.with(key));
            assertThat(status(server, key, "/api/keys")).isEqualTo(200);
            assertThat(status(server, key, "/actuator/prometheus")).isEqualTo(200);
            assertThat(status(server, key, "/api/conversations/" + id)).isEqualTo(200);
        }
        try (TestServer server = start(TestDatabase.named(database))) {
            assertThat(announced).hasSize(1);
            assertThat(status(server, announced.get(0).key(), "/api/conversations/" + id))
                    .isEqualTo(200);
        }
        try (TestServer server = TestServer.loading(TestDatabase.named(database), "chosen-by-the-operator")) {
            assertThat(status(server, "chosen-by-the-operator", "/api/conversations/" + id))
                    .isEqualTo(200);
            assertThat(status(server, "another", "/api/conversations/" + id)).isEqualTo(401);
        }
    }

    private static String create(TestServer server) throws Exception {
        Matcher made = ID.matcher(server.send(server.request("/api/conversations")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{}")))
                .body());
        assertThat(made.find()).isTrue();
        return made.group(1);
    }

    @Test
    void noSecretIsInTheDatabase() {
        try (Database used = TestDatabase.named(database)) {
            Credentials made = Administrator.create(used).orElseThrow();
            String rows = used.now(client -> client.sql("SELECT (SELECT string_agg(u::text, ' ') FROM app_user u)"
                            + " || (SELECT string_agg(k::text, ' ') FROM api_key k)")
                    .query(String.class)
                    .single());

            assertThat(rows).contains("{bcrypt}$2a$").doesNotContain(made.password(), made.key());
            assertThat(made.toString()).doesNotContain(made.password()).doesNotContain(made.key());
            assertThat(Administrator.create(used)).isEmpty();
        }
    }

    @Test
    void aResetReplacesPasswordAndPrintedKeyAndEndsSessions() throws Exception {
        try (TestServer server = start(TestDatabase.named(database));
                Database side = TestDatabase.named(database)) {
            Credentials before = announced.get(0);
            Browser browser = new Browser(server);
            browser.login("admin", before.password());
            assertThat(browser.get("/api/conversations").statusCode()).isEqualTo(200);
            assertThat(status(server, before.key(), "/api/keys")).isEqualTo(200);
            side.now(client -> client.sql("UPDATE app_user SET disabled = true, scopes = '{}'")
                    .update());

            Credentials after = Administrator.reset(side);

            await().atMost(PATIENCE)
                    .until(() -> browser.get("/api/conversations").statusCode() == 401);
            await().atMost(PATIENCE).until(() -> status(server, before.key(), "/api/keys") == 401);
            assertThat(status(server, after.key(), "/api/keys")).isEqualTo(200);
            assertThat(new Browser(server).login("admin", before.password()).statusCode())
                    .isEqualTo(401);
            assertThat(new Browser(server).login("admin", after.password()).statusCode())
                    .isEqualTo(302);
        }
    }

    @Test
    void aDatabaseThatComesLateGetsItsAdministratorAndALostOneIsNoWrongKey(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        Database postgres = TestDatabase.start(data);
        Database used = TestDatabase.connect(data);
        postgres.close();
        await().atMost(PATIENCE).until(() -> !used.up());
        try (TestServer server = TestServer.loading(
                used, "operators", new Access(Optional.of(ApiKey.of("operators")), null, announced::add), false)) {
            assertThat(announced).isEmpty();
            assertThat(status(server, ApiKey.random(), "/api/engine")).isEqualTo(503);
            assertThat(status(server, "no key of ours", "/api/engine")).isEqualTo(401);
            assertThat(status(server, "operators", "/api/engine")).isNotIn(401, 403);
            // Nobody knows whether the key is right, but health is open.
            assertThat(server.send(server.with(ApiKey.random()).request("/actuator/health"))
                            .body())
                    .contains("DOWN");

            postgres = TestDatabase.start(data);
            await().atMost(PATIENCE).until(() -> !announced.isEmpty());
            String key = announced.get(0).key();
            assertThat(status(server, key, "/api/conversations")).isEqualTo(200);

            postgres.close();
            await().atMost(PATIENCE).until(() -> status(server, key, "/v3/api-docs") == 503);
            assertThat(status(server, "operators", "/v3/api-docs")).isEqualTo(200);
        } finally {
            postgres.close();
        }
    }
}
