package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.database.Database;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server does while its database is away, and afterwards. */
class LostDatabaseTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    void historyIsRefusedChatsGoOnAndItHeals() throws Exception {
        Path data = folder.resolve("data");
        Database postgres = TestDatabase.start(data);
        try (TestServer server = TestServer.loading(TestDatabase.connect(data), TestServer.KEY)) {
            server.load(Files.createDirectory(folder.resolve("tiny")), 2, 2);
            Api api = new Api(server);
            String kept = api.chat("hi", Map.of("store", true)).text("/id");
            assertThat(api.get("/actuator/health").text("/components/database/status"))
                    .isEqualTo("UP");
            postgres.close();
            await().atMost(PATIENCE).until(() -> api.get("/actuator/health").status() == 503);

            assertThat(api.get("/actuator/health").text("/components/database/status"))
                    .isEqualTo("DOWN");
            assertThat(api.chat("hi", Map.of()).status()).isEqualTo(200);
            for (Api.Answer refused : new Api.Answer[] {
                api.chat("hi", Map.of("store", true)), api.get("/v1/chat/completions"), api.get("/api/conversations"),
            }) {
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.text("/error/message")).contains("database");
            }
            postgres = TestDatabase.start(data);
            await().atMost(PATIENCE).until(() -> api.get("/actuator/health").status() == 200);
            assertThat(api.get("/v1/chat/completions/" + kept).text("/status")).isEqualTo("complete");
            assertThat(api.chat("hi", Map.of("store", true)).status()).isEqualTo(200);
        } finally {
            postgres.close();
        }
    }
}
