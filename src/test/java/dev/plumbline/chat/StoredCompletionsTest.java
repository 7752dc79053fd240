package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code store: true} and what can be done with the answers, on a real database. */
class StoredCompletionsTest {
    private static final String PATH = "/v1/chat/completions";
    private static final Pattern ID = Pattern.compile("\"id\":\"(chatcmpl-[0-9a-f]+)\"");

    private static TestServer server;
    private static Api api;

    /** Makes this test's answers its own among all in the shared database. */
    private final String mark = UUID.randomUUID().toString();

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        server = TestServer.serving(folder, 2, 2);
        api = new Api(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aStoredAnswerIsWhatTheClientReceived() throws Exception {
        Api.Answer received = api.chat("hi", Map.of("store", true, "metadata", Map.of("mark", mark)));
        assertThat(received.status()).isEqualTo(200);
        Api.Answer stored = api.get(PATH + "/" + received.text("/id"));

        assertThat(stored.status()).isEqualTo(200);
        for (String pointer :
                List.of("/id", "/object", "/created", "/model", "/system_fingerprint", "/choices", "/usage")) {
            assertThat(stored.json().at(pointer))
                    .as(pointer)
                    .isEqualTo(received.json().at(pointer));
        }
        assertThat(stored.text("/status")).isEqualTo("complete");
        assertThat(stored.text("/metadata/mark")).isEqualTo(mark);

        Api.Answer messages = api.get(PATH + "/" + received.text("/id") + "/messages");
        assertThat(messages.text("/data/0/role")).isEqualTo("user");
        assertThat(messages.text("/data/0/content")).isEqualTo("hi");
        assertThat(messages.json().path("has_more").asBoolean()).isFalse();
    }

    @Test
    void aStreamIsStoredBeforeItsDone() throws Exception {
        String body = server.send(server.request(PATH)
                        .header("Content-Type", "application/json")
                        .POST(java.net.http.HttpRequest.BodyPublishers.ofString(JsonMapper.shared()
                                .writeValueAsString(api.chatBody("hi", Map.of("stream", true, "store", true))))))
                .body();

        assertThat(body).endsWith("data: [DONE]\n\n");
        assertThat(api.get(PATH + "/" + id(body)).text("/status")).isEqualTo("complete");
    }

    @Test
    void onlyWhatWasAskedForIsStored() throws Exception {
        String id = api.chat("hi", Map.of()).text("/id");
        assertThat(api.get(PATH + "/" + id).status()).isEqualTo(404);
        assertThat(api.get(PATH + "/" + id).text("/error/code")).isEqualTo("not_found");
    }

    @Test
    void listsArePagedInBothOrdersAndFiltered() throws Exception {
        String one = store(Map.of("mark", mark, "n", "1"));
        String two = store(Map.of("mark", mark, "n", "2"));
        String three = store(Map.of("mark", mark, "n", "3"));
        String mine = PATH + "?metadata%5Bmark%5D=" + mark;

        assertThat(api.get(mine).each("id")).containsExactly(one, two, three);
        assertThat(api.get(mine + "&order=desc").each("id")).containsExactly(three, two, one);
        Api.Answer first = api.get(mine + "&limit=2");
        assertThat(first.each("id")).containsExactly(one, two);
        assertThat(first.json().path("has_more").asBoolean()).isTrue();
        assertThat(first.text("/last_id")).isEqualTo(two);
        assertThat(api.get(mine + "&limit=2&after=" + two).each("id")).containsExactly(three);
        assertThat(api.get(mine + "&order=desc&after=" + two).each("id")).containsExactly(one);
        assertThat(api.get(mine + "&metadata%5Bn%5D=2").each("id")).containsExactly(two);
        assertThat(api.get(mine + "&model=" + server.target().name()).each("id"))
                .hasSize(3);
        assertThat(api.get(mine + "&model=other").each("id")).isEmpty();
    }

    @Test
    void metadataIsReplacedAndAnswersAreDeleted() throws Exception {
        String path = PATH + "/" + store(Map.of("a", "1"));

        assertThat(api.post(path, Map.of("metadata", Map.of("b", "2"))).json().path("metadata"))
                .isEqualTo(JsonMapper.shared().readTree("{\"b\":\"2\"}"));
        assertThat(api.post(path, Map.of()).text("/error/param")).isEqualTo("metadata");
        assertThat(api.delete(path).json().path("deleted").asBoolean()).isTrue();
        assertThat(api.delete(path).status()).isEqualTo(404);
        assertThat(api.get(path).status()).isEqualTo(404);
    }

    @Test
    void anotherUserSeesAndChangesNothing() throws Exception {
        String path = PATH + "/" + store(Map.of("mark", mark));
        Api other = new Api(server.with(TestUser.create(Scope.CHAT).key()));
        assertThat(other.get(PATH).each("id")).isEmpty();
        assertThat(other.get(path).status()).isEqualTo(404);
        assertThat(other.get(path + "/messages").status()).isEqualTo(404);
        assertThat(other.post(path, Map.of("metadata", Map.of())).status()).isEqualTo(404);
        assertThat(other.delete(path).status()).isEqualTo(404);
        assertThat(other.get(PATH + "?order=desc&after=chatcmpl-" + "f".repeat(32))
                        .each("id"))
                .isEmpty();
        assertThat(api.get(path).text("/metadata/mark")).isEqualTo(mark);
    }

    @Test
    void aListGoesOnAfterAnAnswerThatIsDeletedMeanwhile() throws Exception {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(store(Map.of("mark", mark)));
        }
        List<String> seen = new ArrayList<>();
        String page = PATH + "?limit=2&metadata%5Bmark%5D=" + mark;
        for (Api.Answer part = api.get(page); !part.each("id").isEmpty(); ) {
            for (String id : part.each("id")) {
                assertThat(api.delete(PATH + "/" + id).status()).isEqualTo(200);
                seen.add(id);
            }
            part = api.get(page + "&after=" + part.text("/last_id"));
        }

        assertThat(seen).containsExactlyElementsOf(all);
    }

    @Test
    void anAnswerThatIsDeletedWhileItIsGeneratedEndsWithAnError() throws Exception {
        Wire wire = new Wire(server);
        try (Socket client = wire.open(wire.body("go on", 8000, true, ",\"store\":true,\"logit_bias\":{\"1\":-100}"))) {
            String begun = new String(client.getInputStream().readNBytes(3000), StandardCharsets.UTF_8);
            assertThat(api.delete(PATH + "/" + id(begun)).status()).isEqualTo(200);
            String rest = Wire.readToEnd(client);

            assertThat(rest).contains("\"code\":\"not_found\"").doesNotContain("[DONE]");
            assertThat(api.get(PATH + "/" + id(begun)).status()).isEqualTo(404);
        }
        await().until(() -> server.target().status().running() == 0);
    }

    @Test
    void hostileTextComesBackAsItWas() throws Exception {
        String text = "'; DROP TABLE completion; -- <script>alert(1)</script> \u0000\uFFFE0 %_\\ \"😀 " + mark;
        // A query with characters that are none does not get this far.
        String printable = text.replace("\u0000\uFFFE", "");
        String id = store(Map.of(printable.substring(0, 60), printable, "text", text));
        Api.Answer stored = api.get(PATH + "/" + id);
        String said = api.chat(text, Map.of("store", true)).text("/id");
        String query = URLEncoder.encode(printable, StandardCharsets.UTF_8);
        String key = URLEncoder.encode(printable.substring(0, 60), StandardCharsets.UTF_8);

        assertThat(stored.text("/metadata/text")).isEqualTo(text);
        assertThat(api.get(PATH + "/" + said + "/messages").text("/data/0/content"))
                .isEqualTo(text);
        assertThat(api.get(PATH + "?metadata%5B" + key + "%5D=" + query).each("id"))
                .containsExactly(id);
        assertThat(api.get(PATH + "?model=" + query).each("id")).isEmpty();
        assertThat(api.get(PATH + "?after=" + query).status()).isEqualTo(400);
        assertThat(api.get(PATH + "/" + key.replace("+", "%20").replace("%2F", "-"))
                        .status())
                .isIn(400, 404);
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0, limit",
        "limit=101, limit",
        "limit=x, limit",
        "order=up, order",
        "after=nothing, after",
        "page=1, page",
    })
    void wrongParametersAreNamed(String query, String param) throws Exception {
        Api.Answer answer = api.get(PATH + "?" + query);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/error/param")).isEqualTo(param);
    }

    @Test
    void severalChoicesAreNotStored() throws Exception {
        Api.Answer answer = api.chat("hi", Map.of("store", true, "n", 2));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/error/param")).isEqualTo("n");
    }

    @Test
    void anAnswerWhoseClientLeftIsIncomplete() throws Exception {
        Wire wire = new Wire(server);
        String received;
        try (Socket client = wire.open(wire.body("go on", 8000, true, ",\"store\":true,\"logit_bias\":{\"1\":-100}"))) {
            received = new String(client.getInputStream().readNBytes(3000), StandardCharsets.UTF_8);
        }
        String path = PATH + "/" + id(received);
        await().until(() -> !api.get(path).text("/status").equals("in_progress"));
        Api.Answer stored = api.get(path);

        assertThat(stored.text("/status")).isEqualTo("incomplete");
        assertThat(stored.json().path("usage").isNull()).isTrue();
        JsonNode choice = stored.json().path("choices").get(0);
        assertThat(choice.path("finish_reason").isNull()).isTrue();
        assertThat(choice.at("/message/content").asString()).isNotEmpty();
    }

    private static String store(Map<String, String> metadata) throws Exception {
        return api.chat("hi", Map.of("store", true, "metadata", metadata)).text("/id");
    }

    private static String id(String text) {
        Matcher matcher = ID.matcher(text);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }
}
