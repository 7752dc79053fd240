package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conversations on a real database: continued, found, exported, and nobody else's. */
class ConversationsTest {
    private static final String PATH = "/api/conversations";

    private static TestServer server;
    private static Api api;
    private static Path model;

    private final String mark = "w" + UUID.randomUUID().toString().replace("-", "");

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        model = folder;
        server = TestServer.serving(folder, 2, 2);
        api = new Api(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aRequestContinuesWhatWasSaidEvenAfterARestart() throws Exception {
        String id = create("");
        Api.Answer first = api.chat("first words", Map.of("conversation", id, "seed", 1));
        assertThat(first.status()).isEqualTo(200);
        Api.Answer second;
        try (TestServer restarted = TestServer.loading(TestDatabase.open(), TestServer.KEY)) {
            restarted.load(model, 2, 2);
            second = new Api(restarted).chat("second", Map.of("conversation", id, "seed", 2));
        }
        Api.Answer whole = api.get(PATH + "/" + id);
        String answer = first.text("/choices/0/message/content");
        Api.Answer spelledOut = api.chat(
                "",
                Map.of(
                        "seed",
                        2,
                        "messages",
                        List.of(
                                Map.of("role", "user", "content", "first words"),
                                Map.of("role", "assistant", "content", answer),
                                Map.of("role", "user", "content", "second"))));

        assertThat(second.text("/choices/0/message/content")).isEqualTo(spelledOut.text("/choices/0/message/content"));
        assertThat(second.text("/usage/prompt_tokens")).isEqualTo(spelledOut.text("/usage/prompt_tokens"));
        assertThat(whole.json().path("turns")).hasSize(4);
        assertThat(whole.text("/turns/1/content")).isEqualTo(answer);
        assertThat(whole.text("/turns/1/completion")).isEqualTo(first.text("/id"));
        assertThat(whole.text("/turns/3/status")).isEqualTo("complete");
        assertThat(whole.text("/title")).isEqualTo("first words");
    }

    @Test
    void theSecondTurnGoesOnBehindTheFirstOne() throws Exception {
        // given
        String kept = create("");
        Api.Answer first = api.chat("tell me of " + mark, Map.of("conversation", kept));
        int known = first.json().at("/usage/prompt_tokens").asInt();

        // when
        Api.Answer second = api.chat("go on", Map.of("conversation", kept));

        // then
        assertThat(first.json().at("/usage/prompt_tokens_details/cached_tokens").asInt())
                .isLessThan(known);
        assertThat(second.json()
                        .at("/usage/prompt_tokens_details/cached_tokens")
                        .asInt())
                .as("cached tokens of the second turn")
                .isGreaterThanOrEqualTo(known);
    }

    @Test
    void wordsAreFoundInTitlesAndTurnsAndNowhereElse() throws Exception {
        String titled = create("about " + mark + " things");
        String said = create("");
        api.chat("Does ÄPFEL" + mark + " matter?", Map.of("conversation", said));
        String other = create("other");

        assertThat(search(mark)).containsExactly(titled);
        assertThat(search("äpfel" + mark + " matter")).containsExactly(said);
        assertThat(search("äpfel" + mark + " absent")).isEmpty();
        assertThat(search("' OR 1=1; -- <b> & | ! ( \"")).doesNotContain(other);
        assertThat(api.get(PATH + "?limit=2").each("id")).containsExactly(other, said);
        assertThat(api.get(PATH + "?limit=1&after=" + said).each("id")).containsExactly(titled);
        assertThat(api.get(PATH + "?order=sideways").text("/error/param")).isEqualTo("order");
    }

    @Test
    void titleAndMetadataChangeSeparately() throws Exception {
        String hostile = "'); DELETE FROM conversation; -- <img src=x onerror=alert(1)>\u0000";
        String path = PATH + "/" + create(hostile);

        assertThat(api.get(path).text("/title")).isEqualTo(hostile);
        assertThat(api.patch(path, Map.of("metadata", Map.of("k", hostile))).text("/title"))
                .isEqualTo(hostile);
        Api.Answer renamed = api.patch(path, Map.of("title", "new"));
        assertThat(renamed.text("/title")).isEqualTo("new");
        assertThat(renamed.text("/metadata/k")).isEqualTo(hostile);
        assertThat(api.patch(path, Map.of("titel", "new")).text("/error/param")).isEqualTo("titel");
        assertThat(api.patch(path, Map.of("title", "x".repeat(201))).text("/error/param"))
                .isEqualTo("title");
    }

    @Test
    void anExportHasEverythingAndADeletedConversationLeavesWhatWasStored() throws Exception {
        String id = create("t");
        String completion =
                api.chat("hi", Map.of("conversation", id, "store", true)).text("/id");
        Api.Answer export = api.get(PATH + "/" + id + "/export");

        assertThat(export.text("/turns/0/content")).isEqualTo("hi");
        assertThat(export.json().at("/turns/1/usage/total_tokens").asInt()).isPositive();
        assertThat(api.delete(PATH + "/" + id).json().path("deleted").asBoolean())
                .isTrue();
        assertThat(api.get(PATH + "/" + id).status()).isEqualTo(404);
        assertThat(api.get("/v1/chat/completions/" + completion).status()).isEqualTo(200);
    }

    @Test
    void nobodyElseSeesOrContinuesIt() throws Exception {
        String id = create(mark);
        Api other = new Api(server.with(TestUser.create(Scope.CHAT).key()));
        assertThat(other.get(PATH + "/" + id).status()).isEqualTo(404);
        assertThat(other.get(PATH + "/" + id + "/export").status()).isEqualTo(404);
        assertThat(other.patch(PATH + "/" + id, Map.of("title", "x")).status()).isEqualTo(404);
        assertThat(other.delete(PATH + "/" + id).status()).isEqualTo(404);
        assertThat(other.chat("hi", Map.of("conversation", id)).status()).isEqualTo(404);
        assertThat(other.get(PATH + "?query=" + mark).each("id")).isEmpty();
        assertThat(api.get(PATH + "/" + id).text("/title")).isEqualTo(mark);
    }

    @Test
    void aConversationHasOneAnswerAtATime() throws Exception {
        String id = create("");
        Wire wire = new Wire(server);
        String more = ",\"conversation\":\"" + id + "\",\"logit_bias\":{\"1\":-100}";
        try (Socket client = wire.open(wire.body("go on", 8000, true, more))) {
            assertThat(client.getInputStream().readNBytes(1000)).hasSize(1000);
            Api.Answer second = api.chat("and", Map.of("conversation", id));
            assertThat(second.status()).isEqualTo(409);
            assertThat(second.text("/error/code")).isEqualTo("conversation_busy");
        }
    }

    @Test
    void ofFourWritersAtOnceEveryOneIsKeptOnceOrToldToWait() throws Exception {
        String id = create("");
        List<String> said = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            Map<String, CompletableFuture<Api.Answer>> writers = new LinkedHashMap<>();
            for (int writer = 0; writer < 4; writer++) {
                String words = "round " + round + " writer " + writer;
                writers.put(words, CompletableFuture.supplyAsync(() -> say(words, id)));
            }
            writers.forEach((words, answer) -> {
                assertThat(answer.join().status()).as(words).isIn(200, 409);
                (answer.join().status() == 200 ? said : refused).add(words);
            });
        }
        List<String> kept = api.get(PATH + "/" + id)
                .json()
                .path("turns")
                .valueStream()
                .filter(turn -> turn.path("role").asString().equals("user"))
                .map(turn -> turn.path("content").asString())
                .toList();

        assertThat(said).hasSizeGreaterThanOrEqualTo(4);
        assertThat(kept).containsExactlyInAnyOrderElementsOf(said).doesNotContainAnyElementsOf(refused);
        assertThat(api.get(PATH + "/" + id).json().path("turns")).hasSize(2 * said.size());
    }

    private static Api.Answer say(String words, String conversation) {
        try {
            return api.chat(words, Map.of("conversation", conversation));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aStoredAnswerOutlivesItsConversationWhileItIsGenerated() throws Exception {
        String id = create("");
        Wire wire = new Wire(server);
        String more = ",\"conversation\":\"" + id + "\",\"store\":true,\"logit_bias\":{\"1\":-100}";
        try (Socket client = wire.open(wire.body("go on", 400, true, more))) {
            assertThat(client.getInputStream().readNBytes(1000)).hasSize(1000);
            assertThat(api.delete(PATH + "/" + id).status()).isEqualTo(200);
            assertThat(Wire.readToEnd(client)).contains("data: [DONE]");
        }
        assertThat(api.get(PATH + "/" + id).status()).isEqualTo(404);
        assertThat(api.get("/v1/chat/completions?order=desc&limit=1").text("/data/0/status"))
                .isEqualTo("complete");
    }

    @Test
    void aListGoesOnAfterAConversationThatIsDeletedMeanwhile() throws Exception {
        String older = create(mark);
        String deleted = create(mark);
        create(mark);
        assertThat(api.delete(PATH + "/" + deleted).status()).isEqualTo(200);

        assertThat(api.get(PATH + "?limit=1&after=" + deleted).each("id")).containsExactly(older);
        assertThat(api.get(PATH + "?after=1").text("/error/param")).isEqualTo("after");
    }

    @Test
    void aConversationLongerThanAPartIsExportedWhole() throws Exception {
        String id = create("");
        for (int i = 0; i < 70; i++) {
            assertThat(api.chat("turn " + i, Map.of("conversation", id, "max_tokens", 1))
                            .status())
                    .isEqualTo(200);
        }
        Api.Answer export = api.get(PATH + "/" + id + "/export");

        assertThat(export.json().path("turns")).hasSize(140);
        assertThat(export.text("/turns/138/content")).isEqualTo("turn 69");
    }

    @Test
    void anUnknownConversationIsNamed() throws Exception {
        assertThat(api.chat("hi", Map.of("conversation", "' OR 1=1")).text("/error/param"))
                .isEqualTo("conversation");
        Api.Answer unknown =
                api.chat("hi", Map.of("conversation", UUID.randomUUID().toString()));
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.text("/error/param")).isEqualTo("conversation");
        assertThat(api.get(PATH + "/1").status()).isEqualTo(404);
    }

    private static String create(String title) throws Exception {
        return api.post(PATH, Map.of("title", title)).text("/id");
    }

    private static List<String> search(String words) throws Exception {
        return api.get(PATH + "?query=" + URLEncoder.encode(words, StandardCharsets.UTF_8))
                .each("id");
    }
}
