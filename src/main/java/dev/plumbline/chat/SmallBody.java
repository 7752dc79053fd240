package dev.plumbline.chat;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.node.ObjectNode;

/** JSON bodies of requests that are not chats, and of their answers. */
@Component
final class SmallBody {
    private final BodyReader bodies;
    private final BodyBudget budget;
    private final JsonBody json;

    SmallBody(BodyReader bodies, BodyBudget budget, JsonBody json) {
        this.bodies = bodies;
        this.budget = budget;
        this.json = json;
    }

    /** The fields of a request's body. */
    Mono<JsonFields> read(ServerRequest request) {
        return Mono.using(
                budget::open,
                share -> bodies.read(request.bodyToFlux(DataBuffer.class), share)
                        .publishOn(Schedulers.boundedElastic())
                        .map(body -> fields(request, body)),
                BodyBudget.Share::release);
    }

    private JsonFields fields(ServerRequest request, byte[] body) {
        JsonBody.requireType(request);
        return new JsonFields(json.parse(body), "");
    }

    /** An answer of status 200. */
    static Mono<ServerResponse> answer(ObjectNode body) {
        return ServerResponse.ok().contentType(MediaType.APPLICATION_JSON).bodyValue(body.toString());
    }
}
