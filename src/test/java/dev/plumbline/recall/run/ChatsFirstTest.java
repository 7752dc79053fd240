package dev.plumbline.recall.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.database.Database;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run never takes a place that a chat would have had. */
class ChatsFirstTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int SEQUENCES = 4;
    private static final int WAITING = 4;

    @Test
    void asManyChatsAsTheServerHasPlacesForAreAnsweredWhileARunGoesOn(@TempDir Path folder) throws Exception {
        String name = TestDatabase.create();
        try (TestServer server = TestServer.loading(TestDatabase.named(name), TestServer.KEY);
                Database database = TestDatabase.named(name)) {
            server.load(folder, SEQUENCES, WAITING);
            Api api = new Api(server);
            String run = "/api/runs/" + TestRuns.create(database, server.target(), TestRuns.suite(50));
            await().atMost(PATIENCE)
                    .until(() -> api.get(run).json().at("/cells/truncated").asInt() > 0);

            for (int round = 0; round < 3; round++) {
                int before = api.get(run).json().at("/cells/truncated").asInt();
                List<CompletableFuture<Api.Answer>> chats = new ArrayList<>();
                for (int chat = 0; chat < SEQUENCES + WAITING; chat++) {
                    chats.add(CompletableFuture.supplyAsync(() -> chat(api)));
                }
                assertThat(chats).allSatisfy(chat -> assertThat(chat.join().status())
                        .as(chat.join().json().toString())
                        .isEqualTo(200));
                await().atMost(PATIENCE)
                        .until(() -> api.get(run).json().at("/cells/truncated").asInt() > before);
            }
            assertThat(api.post(run + "/cancel", Map.of())
                            .json()
                            .at("/cells/error")
                            .asInt())
                    .isZero();
        }
    }

    private static Api.Answer chat(Api api) {
        try {
            return api.chat("hi", Map.of("max_tokens", 20));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
