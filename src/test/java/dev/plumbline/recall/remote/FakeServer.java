package dev.plumbline.recall.remote;

import io.netty.buffer.Unpooled;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A server that does what a test tells it to, path by path. */
final class FakeServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    static final String CHAT = "/v1/chat/completions";

    /** What a path does with a request's body. */
    interface Behaviour {
        Publisher<Void> answer(HttpServerResponse response, JsonNode body);
    }

    /** Sends one event and then nothing, and knows its connection, which is never idle: nobody else closes it. */
    static final class Stalled implements Behaviour {
        private final String event;
        private volatile Connection connection;

        Stalled(String event) {
            this.event = event;
        }

        @Override
        public Publisher<Void> answer(HttpServerResponse response, JsonNode body) {
            response.withConnection(own -> connection = own);
            return streamed(response, Flux.just("data: " + event + "\n\n").concatWith(silence()));
        }

        /** Whether a request has come, and its connection is open. */
        boolean open() {
            return connection != null && connection.channel().isActive();
        }

        /** Whether a request had come, and its connection is closed. */
        boolean closed() {
            return connection != null && !connection.channel().isActive();
        }
    }

    /** A request as it came. */
    record Seen(String path, String authorization, JsonNode body) {}

    private final Map<String, Behaviour> paths = new ConcurrentHashMap<>();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final DisposableServer server;

    FakeServer() {
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .channelGroup(open)
                .handle(this::handle)
                .bindNow();
        on("/v1/models", (response, body) -> json(response, 200, "{\"object\":\"list\",\"data\":[{\"id\":\"m\"}]}"));
    }

    private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
        String path = request.uri().replaceFirst("^/prefix", "");
        return request.receive().aggregate().asString().defaultIfEmpty("").flatMap(text -> {
            JsonNode body = text.isEmpty() ? JSON.createObjectNode() : JSON.readTree(text);
            seen.add(new Seen(request.uri(), request.requestHeaders().get(HttpHeaderNames.AUTHORIZATION), body));
            Behaviour behaviour = paths.get(path);
            return behaviour == null
                    ? json(response, 404, "{\"detail\":\"Not Found\"}")
                    : Mono.from(behaviour.answer(response, body));
        });
    }

    /** Replaces what a path does. */
    FakeServer on(String path, Behaviour behaviour) {
        paths.put(path, behaviour);
        return this;
    }

    /** Answers chats: 4 characters a token, 7 tokens a message and 3 a prompt. */
    FakeServer chats(String answer) {
        return on(CHAT, (response, body) -> events(response, chat(body, answer)));
    }

    static int promptTokens(JsonNode body) {
        int tokens = 3;
        for (JsonNode message : body.path("messages")) {
            tokens += 7 + message.path("content").asString().length() / 4;
        }
        return tokens;
    }

    /** Events of a streamed chat. */
    static List<String> chat(JsonNode body, String answer) {
        List<String> events = new ArrayList<>(List.of(chunk("\"role\":\"assistant\",\"content\":\"\"", null)));
        for (String piece : answer.split("(?<= )")) {
            events.add(chunk("\"content\":" + JSON.writeValueAsString(piece), null));
        }
        events.add(chunk("", "stop"));
        ObjectNode last = JSON.createObjectNode();
        last.putArray("choices");
        last.putObject("usage").put("prompt_tokens", promptTokens(body)).put("completion_tokens", 5);
        events.add(last.toString());
        events.add("[DONE]");
        return events;
    }

    static String chunk(String delta, String finish) {
        return "{\"choices\":[{\"index\":0,\"delta\":{" + delta + "},\"finish_reason\":"
                + (finish == null ? "null" : "\"" + finish + "\"") + "}],\"usage\":null}";
    }

    static Mono<Void> json(HttpServerResponse response, int status, String body) {
        return response.status(status)
                .header(HttpHeaderNames.CONTENT_TYPE, "application/json")
                .sendString(Mono.just(body))
                .then();
    }

    static Mono<Void> events(HttpServerResponse response, List<String> events) {
        return streamed(response, Flux.fromIterable(events).map(event -> "data: " + event + "\n\n"));
    }

    /** Sends text as it comes. */
    static Mono<Void> streamed(HttpServerResponse response, Flux<String> text) {
        return response.sse()
                .send(text.map(part -> Unpooled.copiedBuffer(part, StandardCharsets.UTF_8)))
                .then();
    }

    /** Nothing, for longer than any test waits. */
    static <T> Flux<T> silence() {
        return Flux.<T>never().take(Duration.ofMinutes(10));
    }

    /** The requests so far. */
    List<Seen> seen() {
        return seen;
    }

    /** The chat requests so far. */
    long chatsAsked() {
        return seen.stream().filter(request -> request.path().endsWith(CHAT)).count();
    }

    /** Connections that are open. */
    int open() {
        return open.size();
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    @Override
    public void close() {
        server.channel().close().syncUninterruptibly();
        open.close().syncUninterruptibly();
    }
}
