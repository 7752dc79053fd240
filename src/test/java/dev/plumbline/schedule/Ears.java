package dev.plumbline.schedule;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A real server that hears webhooks and answers as it was told, at last with 204. */
final class Ears implements AutoCloseable {
    /**
     * A request.
     *
     * @param headers by name in lower case
     */
    record Heard(Map<String, String> headers, String body) {}

    private final HttpServer server;
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Integer> answers = new ConcurrentLinkedQueue<>();

    Ears() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Function<Map.Entry<String, List<String>>, String> name =
                    entry -> entry.getKey().toLowerCase(Locale.ROOT);
            heard.add(new Heard(
                    exchange.getRequestHeaders().entrySet().stream()
                            .collect(Collectors.toMap(
                                    name, entry -> entry.getValue().get(0))),
                    body));
            Integer answer = answers.poll();
            exchange.getResponseHeaders().set("Location", url());
            exchange.sendResponseHeaders(answer == null ? 204 : answer, -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    void answer(int... statuses) {
        for (int status : statuses) {
            answers.add(status);
        }
    }

    List<Heard> heard() {
        return heard;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
