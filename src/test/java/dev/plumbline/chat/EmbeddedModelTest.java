package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The README's first minute: a secret planted in a real file, asked for over HTTP. */
class EmbeddedModelTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String QUESTION = "What is the secret code of the north gate?";

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.embedded();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.5, 0.9})
    void findsASecretInTheLicence(double depth) throws Exception {
        String licence = Files.readString(Path.of("LICENSE")).substring(0, 6000);
        int at = licence.indexOf('\n', (int) (depth * licence.length())) + 1;
        String planted = licence.substring(0, at) + "The secret code of the north gate is ZEBRA-4492-OMEGA.\n"
                + licence.substring(at) + "\n\n" + QUESTION;

        assertThat(answer(planted)).contains("ZEBRA-4492-OMEGA");
    }

    private static String answer(String content) throws Exception {
        String body = JSON.writeValueAsString(Map.of(
                "model",
                "needle-mini",
                "temperature",
                0,
                "max_tokens",
                64,
                "messages",
                List.of(Map.of("role", "user", "content", content))));
        HttpResponse<String> response = server.chat(body.getBytes(StandardCharsets.UTF_8));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body()).at("/choices/0/message/content").asString();
    }
}
