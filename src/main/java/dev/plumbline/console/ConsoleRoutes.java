package dev.plumbline.console;

import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.MethodNotAllowedException;
import reactor.core.publisher.Mono;

/** Paths of the console. */
@Configuration(proxyBeanMethods = false)
class ConsoleRoutes {
    private static final String ENGINE = "/api/engine";

    @Bean
    RouterFunction<ServerResponse> consolePaths(EngineHandler engine) {
        return RouterFunctions.route()
                .GET(ENGINE, engine::json)
                .route(RequestPredicates.path(ENGINE), ConsoleRoutes::onlyGet)
                .build();
    }

    private static Mono<ServerResponse> onlyGet(ServerRequest request) {
        return Mono.error(new MethodNotAllowedException(request.method(), Set.of(HttpMethod.GET)));
    }
}
