package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.database.Database;
import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the table of usage says after real requests. */
class UsageTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static TestServer server;
    private static Database side;

    private TestUser user;
    private Api api;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        side = TestDatabase.open();
        server = TestServer.serving(folder, 2, 2);
    }

    @AfterAll
    static void stop() {
        server.close();
        side.close();
    }

    @BeforeEach
    void newUser() {
        user = TestUser.create(side, Scope.CHAT);
        api = new Api(server.with(user.key()));
    }

    private Map<String, Object> used() {
        return side.now(client -> client.sql("SELECT coalesce(sum(requests), 0)::int AS requests,"
                        + " coalesce(sum(errors), 0)::int AS errors, coalesce(sum(prompt_tokens), 0)::int AS prompt,"
                        + " coalesce(sum(completion_tokens), 0)::int AS completion"
                        + " FROM key_usage WHERE owner = :owner AND key <> 'session'")
                .param("owner", user.id().toString())
                .query()
                .singleRow());
    }

    @Test
    void aStoredAnswerIsCountedWithItsCommit() throws Exception {
        Api.Answer answer = api.chat("hello", Map.of("store", true));

        // No waiting: whoever has the answer finds it counted.
        assertThat(used())
                .containsEntry("requests", 1)
                .containsEntry("errors", 0)
                .containsEntry(
                        "prompt", answer.json().at("/usage/prompt_tokens").asInt())
                .containsEntry(
                        "completion",
                        answer.json().at("/usage/completion_tokens").asInt());
    }

    @Test
    void otherAnswersAreCountedToo() throws Exception {
        Api.Answer plain = api.chat("hello", Map.of("n", 2));
        Api.Answer refused = api.chat("hello", Map.of("temperature", 3));

        assertThat(refused.status()).isEqualTo(400);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(used())
                .containsEntry("requests", 2)
                .containsEntry("errors", 1)
                .containsEntry("prompt", plain.json().at("/usage/prompt_tokens").asInt())
                .containsEntry(
                        "completion",
                        plain.json().at("/usage/completion_tokens").asInt()));
    }

    @Test
    void anAnswerThatItsClientLeftIsCountedOnce() throws Exception {
        for (String store : List.of("false", "true")) {
            Wire wire = new Wire(server.with(user.key()));
            String more = ",\"logit_bias\":{\"1\":-100},\"store\":" + store;
            try (Socket client = wire.open(wire.body("go on", 8000, true, more))) {
                assertThat(client.getInputStream().readNBytes(1000)).hasSize(1000);
            }
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(used())
                .containsEntry("requests", 2)
                .containsEntry("errors", 0)
                .extractingByKey("completion")
                .asInstanceOf(InstanceOfAssertFactories.INTEGER)
                .isPositive());
    }

    @Test
    void theOperatorsKeyAndOthersAreToldApart() throws Exception {
        api.chat("hello", Map.of("store", true));
        new Api(server).chat("hello", Map.of("store", true));

        List<String> keys = side.now(client -> client.sql("SELECT DISTINCT key FROM key_usage WHERE owner = :owner")
                .param("owner", user.id().toString())
                .query(String.class)
                .list());
        int operators = side.now(client -> client.sql("SELECT count(*) FROM key_usage WHERE key = 'PLUMBLINE_API_KEY'")
                .query(Integer.class)
                .single());
        assertThat(keys).hasSize(1).doesNotContain("PLUMBLINE_API_KEY");
        assertThat(operators).isPositive();
    }

    @Test
    void theRunbooksQueryNamesUserAndKey() throws Exception {
        Api.Answer answer = api.chat("hello", Map.of("store", true));
        String runbook = Files.readString(Path.of("docs/runbook.md"));
        int begin = runbook.indexOf("```sql\n") + "```sql\n".length();
        String query = runbook.substring(begin, runbook.indexOf(";\n```", begin));

        List<Map<String, Object>> rows =
                side.now(client -> client.sql(query).query().listOfRows());

        assertThat(rows)
                .filteredOn(row -> user.name().equals(row.get("user")))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("key", "a test's"))
                .satisfies(row -> assertThat(String.valueOf(row.get("prompt_tokens")))
                        .isEqualTo(answer.text("/usage/prompt_tokens")));
    }
}
