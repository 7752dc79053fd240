package dev.plumbline.chat;

import java.security.Principal;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Whose history a request concerns. */
final class Owner {
    private Owner() {}

    static Mono<String> of(ServerRequest request) {
        return request.principal().map(Principal::getName);
    }
}
