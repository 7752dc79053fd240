package dev.plumbline.cli;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What one client received of an answer that the server is to store. */
final class StoredStream {
    static final String QUESTION = "tell me 'everything'";

    private final StringBuilder text = new StringBuilder();
    /** When how much of the text had come. */
    private final NavigableMap<Long, Integer> received = new ConcurrentSkipListMap<>();

    private volatile String id;
    private volatile boolean done;
    private CompletableFuture<Void> end;

    static StoredStream open(HttpClient http, HttpRequest.Builder request, int tokens) {
        String body = "{\"model\":\"tiny\",\"stream\":true,\"store\":true,\"logit_bias\":{\"1\":-100},\"max_tokens\":"
                + tokens + ",\"messages\":[{\"role\":\"user\",\"content\":\"" + QUESTION + "\"}]}";
        StoredStream stream = new StoredStream();
        stream.end = http.sendAsync(
                        request.header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofLines())
                .thenAccept(response -> stream.read(response.body()))
                .exceptionally(failure -> null);
        return stream;
    }

    private void read(Stream<String> lines) {
        lines.forEach(this::line);
    }

    private void line(String line) {
        if (line.equals("data: [DONE]")) {
            done = true;
        } else if (line.startsWith("data: {\"id\"")) {
            JsonNode chunk = JsonMapper.shared().readTree(line.substring("data: ".length()));
            id = chunk.path("id").asString();
            text.append(chunk.at("/choices/0/delta/content").asString(""));
            received.put(System.nanoTime(), text.length());
        }
    }

    void awaitEnd() {
        end.join();
    }

    boolean begun() {
        return id != null;
    }

    boolean done() {
        return done;
    }

    String id() {
        return id;
    }

    /** The text that had come at a time. */
    String textAt(long nanoTime) {
        Map.Entry<Long, Integer> last = received.floorEntry(nanoTime);
        return last == null ? "" : text.substring(0, last.getValue());
    }

    String text() {
        return text.toString();
    }
}
