package dev.plumbline.http;

import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.MethodNotAllowedException;
import reactor.core.publisher.Mono;

/** Methods of a path. */
public final class Methods {
    private Methods() {}

    /** Answers every request that has come this far with status 405 and the methods that its path has. */
    public static HandlerFunction<ServerResponse> only(HttpMethod... allowed) {
        return request -> Mono.error(new MethodNotAllowedException(request.method(), Set.of(allowed)));
    }
}
