package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.testing.TestServer;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests that never reach a handler are refused with the same error object as all others. */
class OddUrlTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.loading();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//v1/models",
                "/v1//models",
                "/v1/models%2Fx",
                "/v1/models/..%2f..%2fetc",
                "/v1/models/%2e%2e/x",
                "/v1/models;a=b",
                "/v1/models\\x",
                "/v1/models/%00",
                "/v1/models/%0a",
                "/v1/models/%zz",
                "/v1/models/%e2%80%a8",
                "/v1/models?q={a}",
                "/v1/models?q=a|b",
                "/v1/models?q=\"<b>\"",
                "/v1/models?q=%",
                "/v1/chat/completions?after=%00",
            })
    void theErrorObjectSaysWhatIsWrong(String target) throws Exception {
        String response = send("GET " + target, "");
        String body = response.substring(response.indexOf("\r\n\r\n") + 4);
        JsonNode error = JsonMapper.shared()
                .readTree(body.substring(body.indexOf('{'), body.lastIndexOf('}') + 1))
                .path("error");

        assertThat(response).startsWith("HTTP/1.1 400 ");
        assertThat(response.toLowerCase(Locale.ROOT)).contains("content-type: application/json");
        assertThat(error.path("type").asString()).isEqualTo("invalid_request_error");
        assertThat(error.path("message").asString()).isNotBlank();
        assertThat(error.has("param") && error.has("code")).isTrue();
    }

    @Test
    void oddMethodsAreNoReasonForSilenceEither() throws Exception {
        assertThat(send("FOO /v1/models", "")).contains("\"error\"");
        assertThat(send("TRACE /v1/models", "")).contains("\"error\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer wrong", "Bearer pl-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "Basic x", "odd"})
    void healthIsOpenWhateverKeyComesWithIt(String authorization) throws Exception {
        String response = send("GET /actuator/health", "X-Ignored: 1\r\n", authorization);

        // DOWN, since no model is loaded.
        assertThat(response).startsWith("HTTP/1.1 503 ").contains("\"DOWN\"").doesNotContain("components");
    }

    private static String send(String line, String header) throws Exception {
        return send(line, header, "Bearer " + TestServer.KEY);
    }

    private static String send(String line, String header, String authorization) throws Exception {
        URI url = URI.create(server.url());
        try (Socket client = new Socket(url.getHost(), url.getPort())) {
            client.setSoTimeout(20_000);
            OutputStream out = client.getOutputStream();
            out.write((line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: " + authorization
                            + "\r\n" + header + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
