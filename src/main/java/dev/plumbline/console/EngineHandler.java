package dev.plumbline.console;

import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /api/engine}. */
@Component
final class EngineHandler {
    private final EngineReporter engine;

    EngineHandler(EngineReporter engine) {
        this.engine = engine;
    }

    Mono<ServerResponse> json(ServerRequest request) {
        return ServerResponse.ok()
                .contentType(MediaType.APPLICATION_JSON)
                .cacheControl(CacheControl.noStore())
                .bodyValue(EngineJson.of(engine.report()).toString());
    }
}
