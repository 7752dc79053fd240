package dev.plumbline.recall.run;

import dev.plumbline.testing.TestServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client that reads the events of a run, as a browser does. */
final class Followed {
    /** One event. */
    record Event(long id, String name, JsonNode data) {}

    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> end;
    private String id;
    private String name;

    private Followed(TestServer server, String path, Long last) {
        HttpRequest.Builder request = server.request(path + "/events");
        if (last != null) {
            request.header("Last-Event-ID", String.valueOf(last));
        }
        end = HttpClient.newHttpClient()
                .sendAsync(request.build(), HttpResponse.BodyHandlers.ofLines())
                .thenApplyAsync(response -> {
                    response.body().forEach(this::line);
                    return response.statusCode();
                });
    }

    /** Reads from behind an event on; from now on if that is null. */
    static Followed from(TestServer server, String path, Long last) {
        return new Followed(server, path, last);
    }

    private void line(String line) {
        if (line.startsWith("id: ")) {
            id = line.substring("id: ".length());
        } else if (line.startsWith("event: ")) {
            name = line.substring("event: ".length());
        } else if (line.startsWith("data: ")) {
            events.add(new Event(
                    id == null ? -1 : Long.parseLong(id),
                    name,
                    JsonMapper.shared().readTree(line.substring("data: ".length()))));
        }
    }

    List<Event> events() {
        return events;
    }

    /** Those that are numbered by themselves. */
    List<Event> numbered() {
        return events.stream().filter(event -> !event.name().equals("progress")).toList();
    }

    List<Long> numbers() {
        return numbered().stream().map(Event::id).toList();
    }

    /** Waits for the end of the stream; the response's status. */
    int status() {
        return end.join();
    }
}
