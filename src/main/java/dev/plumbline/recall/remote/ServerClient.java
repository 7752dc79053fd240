package dev.plumbline.recall.remote;

import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests to one server: bounded in time and bytes, redirects not followed, its address looked at whenever it is connected to.
 * Everything fails with {@link ServerFailure}; cancelling closes the connection.
 */
final class ServerClient implements AutoCloseable {
    /** Most bytes of an answer, selections apart: a hundred times what a cell's can have. */
    static final int MOST_BYTES = 4 << 20;

    /** Never reached before the one above. */
    private static final int MOST_IN_MEMORY = 4 * MOST_BYTES;

    private static final int REFUSAL_BYTES = 4096;
    private static final int LONGEST_TYPE = 60;
    private static final Duration REFUSAL_PATIENCE = Duration.ofSeconds(5);
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final int MILLIS = 1000;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final int REDIRECT = 3;
    private static final ParameterizedTypeReference<ServerSentEvent<String>> EVENT =
            new ParameterizedTypeReference<>() {};

    private final ConnectionProvider pool;
    private final WebClient web;
    private final ServerWords words;
    private final String base;

    /** @param key null for none */
    ServerClient(RemoteTarget target, String key, TargetNetworks networks, LoopResources loops) {
        Patience patience = target.patience();
        this.words = new ServerWords(key, URI.create(target.url()).getHost(), patience, networks);
        this.base = target.url();
        this.pool = ConnectionProvider.builder("target")
                .maxConnections(target.parallel())
                .pendingAcquireMaxCount(-1)
                .pendingAcquireTimeout(Duration.ofSeconds(patience.answerSeconds()))
                .maxIdleTime(IDLE)
                .evictInBackground(IDLE)
                .build();
        HttpClient http = HttpClient.create(pool)
                .runOn(loops)
                .followRedirect(false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, patience.connectSeconds() * MILLIS)
                .responseTimeout(Duration.ofSeconds(patience.silenceSeconds()))
                .resolvedAddressesSelector((config, addresses) -> allowed(addresses, networks))
                .headers(headers -> {
                    if (key != null && !key.isEmpty()) {
                        headers.set(HttpHeaderNames.AUTHORIZATION, "Bearer " + key);
                    }
                });
        this.web = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(http))
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(MOST_IN_MEMORY))
                .build();
    }

    private static List<? extends SocketAddress> allowed(
            List<? extends SocketAddress> addresses, TargetNetworks networks) {
        return addresses.stream()
                .filter(address ->
                        address instanceof InetSocketAddress internet && networks.allow(internet.getAddress()))
                .toList();
    }

    /** How to say what this server did. */
    ServerWords words() {
        return words;
    }

    private Duration longest() {
        return Duration.ofSeconds(words.patience().answerSeconds());
    }

    /** A JSON document. */
    Mono<JsonNode> get(String path) {
        return web.get()
                .uri(URI.create(base + path))
                .accept(MediaType.APPLICATION_JSON)
                .exchangeToMono(response -> response.statusCode().is2xxSuccessful()
                        ? bounded(response).bodyToMono(byte[].class)
                        : refused(response).flatMap(Mono::error))
                .map(body -> JsonMapper.shared().readTree(body))
                .timeout(longest())
                .onErrorMap(words::failure);
    }

    /** The events that answer a JSON body. */
    Flux<ServerSentEvent<String>> events(String path, JsonNode body) {
        return post(path, body)
                .exchangeToFlux(response -> {
                    if (!response.statusCode().is2xxSuccessful()) {
                        return refused(response).flatMapMany(Flux::error);
                    }
                    if (!isEvents(response)) {
                        return noEvents(response).flatMapMany(Flux::error);
                    }
                    return bounded(response).bodyToFlux(EVENT);
                })
                .onErrorMap(words::failure);
    }

    /** Reads the body that answers a JSON body as it comes, on a thread that may wait. */
    <T> Mono<T> read(String path, JsonNode body, BodyReading<T> reading) {
        return post(path, body)
                .exchangeToMono(response -> {
                    if (!response.statusCode().is2xxSuccessful()) {
                        return refused(response).flatMap(Mono::<T>error);
                    }
                    if (!isEvents(response)) {
                        return noEvents(response).flatMap(Mono::<T>error);
                    }
                    return read(response, reading);
                })
                .timeout(longest())
                .onErrorMap(words::failure);
    }

    /** A thread that waits for the body does not hear of a cancellation: ending the body lets it go on, to its end. */
    private static <T> Mono<T> read(ClientResponse response, BodyReading<T> reading) {
        Sinks.Empty<Void> cancelled = Sinks.empty();
        Flux<DataBuffer> body = response.bodyToFlux(DataBuffer.class).takeUntilOther(cancelled.asMono());
        return Mono.fromCallable(() -> {
                    try (InputStream in = DataBufferUtils.subscriberInputStream(body, 2)) {
                        return reading.of(in);
                    }
                })
                .subscribeOn(Schedulers.boundedElastic())
                .doOnCancel(cancelled::tryEmitEmpty);
    }

    /** Makes something of a body. */
    interface BodyReading<T> {
        T of(InputStream body) throws IOException;
    }

    private WebClient.RequestHeadersSpec<?> post(String path, JsonNode body) {
        return web.post()
                .uri(URI.create(base + path))
                .contentType(MediaType.APPLICATION_JSON)
                .accept(MediaType.TEXT_EVENT_STREAM)
                .bodyValue(body.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isEvents(ClientResponse response) {
        String type = response.headers().asHttpHeaders().getFirst(HttpHeaders.CONTENT_TYPE);
        return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith("text/event-stream");
    }

    /** The same response, which fails when its body is too long. */
    private static ClientResponse bounded(ClientResponse response) {
        AtomicLong taken = new AtomicLong();
        return response.mutate()
                .body(body -> body.handle((buffer, sink) -> {
                    if (taken.addAndGet(buffer.readableByteCount()) > MOST_BYTES) {
                        DataBufferUtils.release(buffer);
                        sink.error(
                                ServerFailure.lasting("it sent more than " + MOST_BYTES + " bytes where less was due"));
                    } else {
                        sink.next(buffer);
                    }
                }))
                .build();
    }

    private Mono<ServerFailure> noEvents(ClientResponse response) {
        String type = response.headers().asHttpHeaders().getFirst(HttpHeaders.CONTENT_TYPE);
        String shown = type == null
                ? "no content type"
                : words.quoted(type.substring(0, Math.min(type.length(), LONGEST_TYPE)));
        return beginning(response)
                .map(body -> ServerFailure.lasting("it answered with " + shown + " instead of text/event-stream"
                        + (body.isBlank() ? "" : ": " + words.refusal(body))));
    }

    private Mono<ServerFailure> refused(ClientResponse response) {
        int status = response.statusCode().value();
        if (status / 100 == REDIRECT) {
            return beginning(response)
                    .map(body -> ServerFailure.lasting("it answered " + status + "; redirects are not followed"));
        }
        return beginning(response).map(body -> {
            String text = "it answered " + status + (body.isBlank() ? "" : ": " + words.refusal(body));
            return status == TOO_MANY || status >= SERVER_ERROR
                    ? ServerFailure.temporary(text, retryAfter(response))
                    : ServerFailure.lasting(text);
        });
    }

    /** The first bytes of a body, as far as they come; the rest is not read. */
    private static Mono<String> beginning(ClientResponse response) {
        Flux<DataBuffer> body =
                DataBufferUtils.takeUntilByteCount(response.bodyToFlux(DataBuffer.class), REFUSAL_BYTES);
        return DataBufferUtils.join(body)
                .map(buffer -> {
                    String text = buffer.toString(StandardCharsets.UTF_8);
                    DataBufferUtils.release(buffer);
                    return text;
                })
                .timeout(REFUSAL_PATIENCE)
                .onErrorReturn("")
                .defaultIfEmpty("");
    }

    /** Seconds or a date (RFC 9110, 10.2.3); null if there is neither. */
    private static Duration retryAfter(ClientResponse response) {
        String text = response.headers().asHttpHeaders().getFirst(HttpHeaders.RETRY_AFTER);
        if (text == null) {
            return null;
        }
        if (text.matches("[0-9]{1,7}")) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        try {
            Instant until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration left = Duration.between(Instant.now(), until);
            return left.isNegative() ? Duration.ZERO : left;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Ends what is running and closes every connection. */
    @Override
    public void close() {
        pool.dispose();
    }
}
