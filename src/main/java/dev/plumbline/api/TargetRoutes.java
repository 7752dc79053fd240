package dev.plumbline.api;

import dev.plumbline.http.Methods;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Paths of targets. */
@Configuration(proxyBeanMethods = false)
class TargetRoutes {
    private static final String TARGETS = "/api/targets";
    private static final String TARGET = TARGETS + "/{id}";
    private static final String CHECK = TARGET + "/check";

    @Bean
    RouterFunction<ServerResponse> targetPaths(TargetsHandler targets) {
        return RouterFunctions.route()
                .GET(TARGETS, targets::list)
                .POST(TARGETS, targets::create)
                .GET(TARGET, targets::one)
                .PUT(TARGET, targets::replace)
                .DELETE(TARGET, targets::delete)
                .POST(CHECK, targets::check)
                .route(RequestPredicates.path(TARGETS), Methods.only(HttpMethod.GET, HttpMethod.POST))
                .route(RequestPredicates.path(TARGET), Methods.only(HttpMethod.GET, HttpMethod.PUT, HttpMethod.DELETE))
                .route(RequestPredicates.path(CHECK), Methods.only(HttpMethod.POST))
                .build();
    }
}
