package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on one machine: each with a folder of its own, or both on one database. */
class SideBySideTest {
    private static final String PATH = "/v1/chat/completions";

    @TempDir
    Path folder;

    @Test
    void withFoldersOfTheirOwnNeitherSeesTheOthersHistory() throws Exception {
        Path model = Files.createDirectory(folder.resolve("tiny"));
        try (TestServer one = TestServer.loading(TestDatabase.start(folder.resolve("one")), TestServer.KEY);
                TestServer two = TestServer.loading(TestDatabase.start(folder.resolve("two")), TestServer.KEY)) {
            one.load(model, 2, 2);
            two.load(model, 2, 2);
            String first = new Api(one).chat("hi", Map.of("store", true)).text("/id");
            String second = new Api(two).chat("hi", Map.of("store", true)).text("/id");

            assertThat(new Api(one).get(PATH).each("id")).containsExactly(first);
            assertThat(new Api(two).get(PATH).each("id")).containsExactly(second);
        }
    }

    @Test
    void onOneDatabaseTheStartOfOneLeavesTheRunningAnswersOfTheOther() throws Exception {
        try (TestServer one = TestServer.serving(folder, 2, 2)) {
            Api api = new Api(one);
            String conversation = api.post("/api/conversations", Map.of()).text("/id");
            Wire wire = new Wire(one);
            // Only "a": random bytes would become more tokens as history than they were as an answer, too many for the
            // context.
            String onlyA = ",\"logit_bias\":{\"1\":-100,\"" + ('a' + 2) + "\":100}";
            String more = ",\"conversation\":\"" + conversation + "\",\"store\":true" + onlyA;
            try (Socket client = wire.open(wire.body("go on", 8000, true, more))) {
                assertThat(client.getInputStream().readNBytes(1000)).hasSize(1000);
                try (TestServer two = TestServer.loading(TestDatabase.open(), TestServer.KEY)) {
                    two.load(folder, 2, 2);
                    Api other = new Api(two);
                    String path = "/api/conversations/" + conversation;

                    assertThat(other.get(path).text("/turns/1/status")).isEqualTo("in_progress");
                    assertThat(other.chat("and", Map.of("conversation", conversation))
                                    .status())
                            .isEqualTo(409);
                    client.close();
                    await().until(() -> other.get(path).text("/turns/1/status").equals("incomplete"));
                    assertThat(other.chat("and", Map.of("conversation", conversation))
                                    .status())
                            .isEqualTo(200);
                    assertThat(api.get(path).json().path("turns")).hasSize(4);
                }
            }
        }
    }
}
