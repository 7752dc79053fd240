package dev.plumbline.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writes payloads as server-sent events, flushed one by one, with a comment when nothing was said for a while. */
public final class EventStream {
    /** A proxy that hears nothing for a minute or so gives up; a long prefill may take that long. */
    static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private static final String COMMENT = ": still working\n\n";

    private EventStream() {}

    /** The response with one more header; an error before the first payload leaves it uncommitted. */
    public static Mono<ServerResponse> respond(Flux<String> payloads, String header, String value) {
        return respond(builder().header(header, value), payloads.map(payload -> "data: " + payload + "\n\n"));
    }

    /** The response with frames that are whole events already. */
    public static Mono<ServerResponse> respond(Flux<String> frames) {
        return respond(builder(), frames);
    }

    private static ServerResponse.BodyBuilder builder() {
        return ServerResponse.ok()
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .header(HttpHeaders.CACHE_CONTROL, "no-cache")
                .header("X-Accel-Buffering", "no");
    }

    private static Mono<ServerResponse> respond(ServerResponse.BodyBuilder response, Flux<String> frames) {
        Flux<String> beating = withHeartbeat(frames, HEARTBEAT);
        return response.body((message, context) -> message.writeAndFlushWith(
                beating.map(frame -> Mono.fromSupplier(() -> buffer(message.bufferFactory(), frame)))));
    }

    /** Adds a comment after every {@code period} of silence that follows a frame. */
    static Flux<String> withHeartbeat(Flux<String> frames, Duration period) {
        return frames.publish(shared -> {
            Flux<String> quiet = shared.onErrorComplete();
            Flux<String> beats = quiet.switchMap(
                            frame -> Flux.interval(period).onBackpressureDrop().map(tick -> COMMENT))
                    .takeUntilOther(quiet.ignoreElements().thenReturn(true));
            return Flux.merge(shared, beats);
        });
    }

    private static DataBuffer buffer(DataBufferFactory factory, String frame) {
        return factory.wrap(frame.getBytes(StandardCharsets.UTF_8));
    }
}
