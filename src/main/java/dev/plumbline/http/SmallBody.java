package dev.plumbline.http;

import dev.plumbline.document.YamlDocument;
import java.util.Map;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON bodies of requests that are not chats, and of their answers. */
@Component
public final class SmallBody {
    private final BodyReader bodies;
    private final BodyBudget budget;
    private final JsonBody json;

    SmallBody(BodyReader bodies, BodyBudget budget, JsonBody json) {
        this.bodies = bodies;
        this.budget = budget;
        this.json = json;
    }

    /** The fields of a request's body. */
    public Mono<JsonFields> read(ServerRequest request) {
        return bytes(request).map(body -> new JsonFields(tree(request, body), ""));
    }

    /** The bytes of a request's body, on a thread that may take its time. */
    public Mono<byte[]> bytes(ServerRequest request) {
        return Mono.using(
                budget::open,
                share ->
                        bodies.read(request.bodyToFlux(DataBuffer.class), share).publishOn(Schedulers.boundedElastic()),
                BodyBudget.Share::release);
    }

    /** The object of a body that must be JSON, as Java's own types. */
    public Map<?, ?> map(ServerRequest request, byte[] body) {
        return map(tree(request, body));
    }

    /** The object of a body that may be JSON or YAML, of which at most {@code limit} bytes are taken. */
    public Map<?, ?> document(ServerRequest request, byte[] body, int limit) {
        if (YamlBody.is(request)) {
            return YamlDocument.read(body, limit);
        }
        JsonBody.requireType(request, "application/json, application/yaml");
        return map(json.parse(body));
    }

    private static Map<?, ?> map(JsonNode tree) {
        return JsonMapper.shared().convertValue(tree, Map.class);
    }

    private JsonNode tree(ServerRequest request, byte[] body) {
        JsonBody.requireType(request);
        return json.parse(body);
    }

    /** An answer of status 200. */
    public static Mono<ServerResponse> answer(ObjectNode body) {
        return ServerResponse.ok().contentType(MediaType.APPLICATION_JSON).bodyValue(body.toString());
    }
}
