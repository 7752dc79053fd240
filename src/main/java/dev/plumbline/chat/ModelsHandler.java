package dev.plumbline.chat;

import dev.plumbline.http.ServedModel;
import dev.plumbline.target.NativeTarget;
import java.time.Instant;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code GET /v1/models} and {@code GET /v1/models/{id}}. */
@Component
final class ModelsHandler {
    private final ServedModel served;
    private final long started = Instant.now().getEpochSecond();

    ModelsHandler(ServedModel served) {
        this.served = served;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("object", "list");
        root.putArray("data").add(describe(served.loaded()));
        return json(root);
    }

    Mono<ServerResponse> one(ServerRequest request) {
        return json(describe(served.named(request.pathVariable("id"))));
    }

    private ObjectNode describe(NativeTarget target) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", target.name())
                .put("object", "model")
                .put("created", started)
                .put("owned_by", "plumbline");
    }

    private static Mono<ServerResponse> json(ObjectNode body) {
        return ServerResponse.ok().contentType(MediaType.APPLICATION_JSON).bodyValue(body.toString());
    }
}
