package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL and HTML wherever a text can stand: kept letter by letter, never run, never called HTML. */
class HostileTextTest {
    private static final String COMPLETIONS = "/v1/chat/completions";
    private static final String CONVERSATIONS = "/api/conversations";

    private static TestServer server;
    private static Api api;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        server = TestServer.serving(folder, 2, 2);
        api = new Api(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'; DROP TABLE message CASCADE; --",
                "\\'; SELECT pg_sleep(30); --",
                "$$; DELETE FROM completion; $$ :owner ? ${x} #{y}",
                "<script>alert(1)</script><img src=x onerror=alert(1)>",
                "\"></textarea><svg onload=alert(1)>&lt;",
                "\u0000\ufffe0\ufffe1\uffff \u202e \ud83d\ude00 e\u0301",
                "%00 %27 %s %n {} {{7*7}} ${jndi:ldap://127.0.0.1/x}",
            })
    void everyFieldKeepsItsText(String text) throws Exception {
        String conversation = api.post(CONVERSATIONS, Map.of("title", text, "metadata", Map.of(text, text)))
                .text("/id");
        Map<String, Object> more = Map.of(
                "store", true,
                "conversation", conversation,
                "metadata", Map.of(text, text),
                "stop", List.of(text, "never " + text),
                "user", text,
                "safety_identifier", text,
                "prompt_cache_key", text,
                "service_tier", text,
                "messages",
                        List.of(
                                Map.of("role", "system", "content", text, "name", text),
                                Map.of("role", "developer", "content", text),
                                Map.of("role", "user", "content", List.of(Map.of("type", "text", "text", text))),
                                Map.of("role", "assistant", "content", text, "reasoning_content", text),
                                Map.of("role", "user", "content", text)));
        Api.Answer chat = api.chat("", more);
        assertThat(chat.status()).as(chat.json().toString()).isEqualTo(200);
        String completion = COMPLETIONS + "/" + chat.text("/id");

        Api.Answer messages = api.get(completion + "/messages");
        assertThat(messages.each("content")).containsExactly(text, text, text, text, text);
        assertThat(messages.text("/data/3/reasoning_content")).isEqualTo(text);
        assertThat(api.get(completion).json().path("metadata").path(text).asString())
                .isEqualTo(text);
        Api.Answer whole = api.get(CONVERSATIONS + "/" + conversation + "/export");
        assertThat(whole.text("/title")).isEqualTo(text);
        assertThat(whole.json().path("metadata").path(text).asString()).isEqualTo(text);
        assertThat(whole.text("/turns/4/content")).isEqualTo(text);
        assertThat(api.post(completion, Map.of("metadata", Map.of("k" + text, text)))
                        .json()
                        .path("metadata")
                        .path("k" + text)
                        .asString())
                .isEqualTo(text);
        assertThat(api.patch(CONVERSATIONS + "/" + conversation, Map.of("title", "2" + text))
                        .text("/title"))
                .isEqualTo("2" + text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "' OR '1'='1",
                "x') OR true; DROP TABLE conversation CASCADE; --",
                "<script>alert(1)</script>",
                ":* & | ! <-> ( ) \\ ' \"",
                "a <b> \"",
                "%",
                "_",
            })
    void everyQueryParameterIsTextOnly(String text) throws Exception {
        api.post(CONVERSATIONS, Map.of("title", "untouched"));
        String sent = URLEncoder.encode(text, StandardCharsets.UTF_8);

        assertThat(api.get(CONVERSATIONS + "?query=" + sent).status()).isEqualTo(200);
        assertThat(api.get(COMPLETIONS + "?model=" + sent).each("id")).isEmpty();
        assertThat(api.get(COMPLETIONS + "?metadata%5B" + sent + "%5D=" + sent).each("id"))
                .isEmpty();
        for (String parameter : List.of("after", "limit", "order", sent)) {
            for (String path : List.of(COMPLETIONS, CONVERSATIONS)) {
                assertThat(api.get(path + "?" + parameter + "=" + sent).status())
                        .as(path + " " + parameter)
                        .isEqualTo(400);
            }
        }
        assertThat(api.get(CONVERSATIONS + "?query=untouched").each("id")).isNotEmpty();
    }

    @Test
    void everyIdIsTextOnlyAndNoAnswerIsHtml() throws Exception {
        for (String id : List.of(
                "'%20OR%201=1--", "%3Cscript%3Ealert(1)%3C%25script%3E", "1);DROP%20TABLE%20message", "chatcmpl-%27")) {
            for (String path : List.of(
                    COMPLETIONS + "/" + id,
                    COMPLETIONS + "/" + id + "/messages",
                    CONVERSATIONS + "/" + id,
                    CONVERSATIONS + "/" + id + "/export",
                    "/v1/models/" + id)) {
                HttpResponse<String> answer = server.send(server.request(path).GET());
                assertThat(answer.statusCode()).as(path).isIn(400, 404);
                assertThat(answer.headers().firstValue("Content-Type").orElse("application/json"))
                        .as(path)
                        .startsWith("application/json");
            }
        }
        assertThat(api.chat("hi", Map.of("model", "<b>'--")).text("/error/code"))
                .isEqualTo("model_not_found");
        assertThat(api.chat("hi", Map.of("conversation", UUID.randomUUID().toString()))
                        .status())
                .isEqualTo(404);
    }
}
