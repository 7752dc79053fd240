package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Before there is a model, when the engine stops, and at the server's end. */
class ServerLifeTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    Path folder;

    @Test
    void whileTheModelLoadsHealthIsDownAndRequestsAreToldToWait() throws Exception {
        try (TestServer server = TestServer.loading()) {
            HttpResponse<String> health = get(server, "/actuator/health", null);
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).isEqualTo("{\"status\":\"DOWN\"}");

            HttpResponse<String> models = get(server, "/v1/models", TestServer.KEY);
            assertThat(models.statusCode()).isEqualTo(503);
            assertThat(models.headers().firstValue("Retry-After")).isPresent();

            server.load(folder, 2, 2);
            assertThat(get(server, "/actuator/health", null).body()).isEqualTo("{\"status\":\"UP\"}");
            assertThat(get(server, "/v1/models", TestServer.KEY).statusCode()).isEqualTo(200);
            everythingElseNeedsTheKey(server);
        }
    }

    private void everythingElseNeedsTheKey(TestServer server) throws Exception {
        for (String path : new String[] {"/v1/models", "/", "/actuator", "/actuator/env", "/v1/chat/completions"}) {
            for (String key : new String[] {null, "", "wrong", TestServer.KEY + "x"}) {
                HttpResponse<String> response = get(server, path, key);
                assertThat(response.statusCode()).as(path).isEqualTo(401);
                assertThat(JSON.readTree(response.body()).at("/error/code").asString())
                        .isEqualTo("invalid_api_key");
                assertThat(response.headers().firstValue("X-Content-Type-Options"))
                        .hasValue("nosniff");
                assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
            }
        }
    }

    @Test
    void anEngineThatFailsTellsTheStreamInsideIt() throws Exception {
        TestServer server = TestServer.serving(folder, 2, 2);
        Wire wire = new Wire(server);
        try (Socket client = wire.open(wire.body("go on", 4000, true, ",\"n\":2,\"logit_bias\":{\"1\":-100}"))) {
            await().until(() -> server.target().status().running() == 2);
            server.target().engine().close();
            String answer = Wire.readToEnd(client);

            assertThat(answer)
                    .containsOnlyOnce("data: {\"error\":{\"message\":")
                    .doesNotContain("[DONE]");
        }
        HttpResponse<String> next = server.chat(wire.body("hi", 3, false, ""));
        assertThat(next.statusCode()).isEqualTo(503);
        assertThat(JSON.readTree(next.body()).at("/error/type").asString()).isEqualTo("server_error");
        server.close();
    }

    @Test
    void aServerThatEndsCutsWhatStillRunsWithAnError() throws Exception {
        TestServer server = TestServer.serving(folder, 2, 2);
        Wire wire = new Wire(server);
        try (Socket client = wire.open(wire.body("go on", 8000, true, ",\"logit_bias\":{\"1\":-100}"))) {
            await().until(() -> server.target().status().running() == 1);
            CompletableFuture<Void> end = CompletableFuture.runAsync(server::close);
            String answer = Wire.readToEnd(client);

            assertThat(answer).contains("data: {\"error\":{\"message\":\"The server is shutting down.\"");
            end.join();
        }
    }

    private static HttpResponse<String> get(TestServer server, String path, String key)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path));
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
