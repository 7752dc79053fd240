package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.testing.TestServer;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that asks and then never reads. */
class StalledClientTest {
    private static final String PATIENCE = "plumbline.stalled-client";
    private static final int CONTEXT = 60_000;

    @TempDir
    Path folder;

    @BeforeEach
    void loseItSoon() {
        System.setProperty(PATIENCE, "1s");
    }

    @AfterEach
    void restore() {
        System.clearProperty(PATIENCE);
    }

    @Test
    void itLosesItsConnectionAndItsPlaceAndTheAnswerIsIncomplete() throws Exception {
        try (TestServer server = TestServer.serving(folder, 1, 1, CONTEXT)) {
            Api api = new Api(server);
            Wire wire = new Wire(server);
            // Log-probabilities make it more than the buffers between the two hold, and its length keeps the generation
            // going until the client is found out: an answer that is whole by then counts as given.
            byte[] body = wire.body(
                    "go on",
                    CONTEXT - 100,
                    true,
                    ",\"store\":true,\"logprobs\":true,\"top_logprobs\":20,\"logit_bias\":{\"1\":-100}");
            URI url = URI.create(server.url());
            try (Socket client = new Socket()) {
                client.setReceiveBufferSize(4096);
                client.connect(new InetSocketAddress(url.getHost(), url.getPort()));
                client.getOutputStream().write(head(body.length).getBytes(StandardCharsets.US_ASCII));
                client.getOutputStream().write(body);
                await().until(() -> server.target().status().running() == 1);
                await().atMost(Duration.ofSeconds(90)).until(() -> api.get("/v1/chat/completions?order=desc&limit=1")
                        .text("/data/0/status")
                        .equals("incomplete"));
            }
            assertThat(api.chat("next", Map.of()).status()).isEqualTo(200);
        }
    }

    private static String head(int length) {
        return "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer " + TestServer.KEY + "\r\nContent-Length: " + length + "\r\n\r\n";
    }
}
