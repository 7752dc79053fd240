package dev.plumbline.chat;

import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON requests to a server. */
public record Api(TestServer server) {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Status and body of an answer. */
    public record Answer(int status, JsonNode json) {
        /** The text at a JSON pointer. */
        public String text(String pointer) {
            return json.at(pointer).asString();
        }

        /** A field of every item of a list. */
        public List<String> each(String field) {
            return json.path("data")
                    .valueStream()
                    .map(item -> item.path(field).asString())
                    .toList();
        }
    }

    public Answer get(String path) throws IOException, InterruptedException {
        return send(server.request(path).GET());
    }

    public Answer delete(String path) throws IOException, InterruptedException {
        return send(server.request(path).DELETE());
    }

    public Answer post(String path, Map<String, ?> body) throws IOException, InterruptedException {
        return send("POST", path, body);
    }

    public Answer patch(String path, Map<String, ?> body) throws IOException, InterruptedException {
        return send("PATCH", path, body);
    }

    /** A chat with a short answer and more fields. */
    public Answer chat(String content, Map<String, ?> more) throws IOException, InterruptedException {
        return post("/v1/chat/completions", chatBody(content, more));
    }

    public Map<String, Object> chatBody(String content, Map<String, ?> more) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of(
                "model", server.target().name(),
                "max_tokens", 3,
                "messages", List.of(Map.of("role", "user", "content", content))));
        body.putAll(more);
        return body;
    }

    public Answer send(String method, String path, Map<String, ?> body) throws IOException, InterruptedException {
        return send(server.request(path)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    public Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = server.send(request);
        return new Answer(response.statusCode(), JSON.readTree(response.body()));
    }
}
