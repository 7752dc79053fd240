package dev.plumbline.console;

import dev.plumbline.target.ModelLocator.Listed;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetSlot;
import java.util.List;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code GET /api/engine/models}: the models that ship with this program, and which of them is loaded. */
final class EmbeddedModelsHandler {
    private final List<Listed> models;
    private final TargetSlot slot;

    EmbeddedModelsHandler(List<Listed> models, TargetSlot slot) {
        this.models = List.copyOf(models);
        this.slot = slot;
    }

    Mono<ServerResponse> json(ServerRequest request) {
        String loaded = slot.target().map(NativeTarget::name).orElse("");
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("object", "list");
        ArrayNode data = root.putArray("data");
        for (Listed model : models) {
            data.addObject()
                    .put("name", model.name())
                    .put("base", model.base().orElse(null))
                    .put("description", model.description())
                    .put("loaded", model.name().equals(loaded));
        }
        return ServerResponse.ok()
                .contentType(MediaType.APPLICATION_JSON)
                .cacheControl(CacheControl.noStore())
                .bodyValue(root.toString());
    }
}
