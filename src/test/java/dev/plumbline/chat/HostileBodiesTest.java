package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every endpoint that takes a body, and bodies that are none. */
class HostileBodiesTest {
    private static final int MIB = 1 << 20;

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

    /** An endpoint with a body that it takes. */
    private record Endpoint(String method, String path, String body) {
        static Endpoint of(String name) throws Exception {
            return switch (name) {
                case "chat" ->
                    new Endpoint(
                            "POST",
                            "/v1/chat/completions",
                            "{\"model\":\"" + server.target().name()
                                    + "\",\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}");
                case "completion" ->
                    new Endpoint(
                            "POST",
                            "/v1/chat/completions/"
                                    + api.chat("hi", Map.of("store", true)).text("/id"),
                            "{\"metadata\":{\"a\":\"b\"}}");
                case "conversations" -> new Endpoint("POST", "/api/conversations", "{\"title\":\"t\"}");
                case "conversation" ->
                    new Endpoint(
                            "PATCH",
                            "/api/conversations/"
                                    + api.post("/api/conversations", Map.of()).text("/id"),
                            "{\"title\":\"t\"}");
                default -> throw new IllegalArgumentException(name);
            };
        }

        Api.Answer send(byte[] bytes) throws Exception {
            return api.send(server.request(path)
                    .header("Content-Type", "application/json")
                    .method(method, BodyPublishers.ofByteArray(bytes)));
        }

        Api.Answer send(String text) throws Exception {
            return send(text.getBytes(StandardCharsets.UTF_8));
        }

        /** The body with blanks before it up to a size. */
        byte[] padded(int bytes) {
            byte[] padded = new byte[bytes];
            Arrays.fill(padded, (byte) ' ');
            byte[] own = body.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(own, 0, padded, bytes - own.length, own.length);
            return padded;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chat", "completion", "conversations", "conversation"})
    void eightMebibytesAreTakenAndNineRefused(String name) throws Exception {
        Endpoint endpoint = Endpoint.of(name);

        assertThat(endpoint.send(endpoint.padded(8 * MIB)).status()).isEqualTo(200);
        Api.Answer refused = endpoint.send(endpoint.padded(9 * MIB));
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.text("/error/code")).isEqualTo("request_too_large");
        assertThat(endpoint.send(endpoint.padded(8 * MIB + 1)).status()).isEqualTo(413);
    }

    @ParameterizedTest
    @ValueSource(strings = {"chat", "completion", "conversations", "conversation"})
    void whatIsNoJsonObjectIsRefused(String name) throws Exception {
        Endpoint endpoint = Endpoint.of(name);
        String cut = endpoint.body().substring(0, endpoint.body().length() - 1);
        for (String malformed : List.of(
                "",
                " ",
                "null",
                "7",
                "[]",
                "\"x\"",
                cut,
                endpoint.body() + "}",
                endpoint.body() + endpoint.body(),
                "{'a':1}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":NaN}",
                "{\"a\":01}",
                "{" + "\"a\":{".repeat(100),
                "<html>",
                "' OR 1=1; --")) {
            Api.Answer refused = endpoint.send(malformed);
            assertThat(refused.status()).as(malformed).isEqualTo(400);
            assertThat(refused.text("/error/code")).as(malformed).isEqualTo("invalid_json");
        }
        for (byte[] bytes : List.of(
                new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'},
                new byte[] {'{', '"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"', ':', '1', '}'},
                new byte[] {'{', '"', (byte) 0xc0, (byte) 0xaf, '"', ':', '1', '}'},
                endpoint.body().getBytes(StandardCharsets.UTF_16))) {
            assertThat(endpoint.send(bytes).text("/error/code")).isEqualTo("invalid_utf8");
        }
        assertThat(endpoint.send(endpoint.body()).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"chat", "completion", "conversations", "conversation"})
    void wrongTypesInMetadataAreNamed(String name) throws Exception {
        Endpoint endpoint = Endpoint.of(name);
        String open = endpoint.body().replaceFirst(",?\"metadata\".*$", "}").replaceFirst("}$", "");
        String with = open + (open.equals("{") ? "" : ",") + "\"metadata\":";
        for (String wrong : List.of(
                "7",
                "\"x\"",
                "[]",
                "{\"a\":7}",
                "{\"a\":null}",
                "{\"a\":{}}",
                "{\"\\ud800\":\"b\"}",
                "{\"a\":\"\\udc00\"}",
                "{\"a\":\"" + "x".repeat(513) + "\"}",
                "{\"" + "k".repeat(65) + "\":\"\"}")) {
            Api.Answer refused = endpoint.send(with + wrong + "}");
            assertThat(refused.status()).as(wrong).isEqualTo(400);
            assertThat(refused.text("/error/param")).as(wrong).startsWith("metadata");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chat", "completion", "conversations", "conversation"})
    void unknownFieldsAndOtherContentTypesAreRefused(String name) throws Exception {
        Endpoint endpoint = Endpoint.of(name);
        Api.Answer unknown = endpoint.send(endpoint.body().replaceFirst("}$", ",\"<b>'--\":1}"));
        Api.Answer typed = api.send(server.request(endpoint.path())
                .header("Content-Type", "text/html")
                .method(endpoint.method(), BodyPublishers.ofString(endpoint.body())));

        assertThat(unknown.text("/error/param")).isEqualTo("<b>'--");
        assertThat(typed.text("/error/code")).isEqualTo("unsupported_content_type");
    }
}
