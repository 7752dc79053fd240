package dev.plumbline.api;

import dev.plumbline.http.Methods;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Paths of what run configs cost. */
@Configuration(proxyBeanMethods = false)
class CostRoutes {
    private static final String DRAFT = "/api/run-configs/cost";
    private static final String COST = "/api/run-configs/{name}/cost";

    /** Before the paths of run configs, one of which is everything in the place of {@code cost}. */
    @Bean
    @Order(0)
    RouterFunction<ServerResponse> costPaths(CostHandler cost) {
        return RouterFunctions.route()
                .POST(DRAFT, cost::draft)
                .GET(COST, cost::saved)
                .route(RequestPredicates.path(DRAFT), Methods.only(HttpMethod.POST))
                .route(RequestPredicates.path(COST), Methods.only(HttpMethod.GET))
                .build();
    }
}
