package dev.plumbline.api;

import dev.plumbline.http.Methods;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Paths of suites. */
@Configuration(proxyBeanMethods = false)
class SuiteRoutes {
    private static final String SUITES = "/api/suites";
    private static final String SUITE = SUITES + "/{name}";
    private static final String VERSIONS = SUITE + "/versions";
    private static final String EXPORT = SUITE + "/export.yaml";
    private static final String PLAN = SUITE + "/plan";

    @Bean
    RouterFunction<ServerResponse> suitePaths(SuitesHandler suites) {
        return RouterFunctions.route()
                .GET(SUITES, suites::list)
                .POST(SUITES, suites::create)
                .GET(SUITE, suites::one)
                .GET(VERSIONS, suites::versions)
                .GET(EXPORT, suites::export)
                .GET(PLAN, suites::plan)
                .route(RequestPredicates.path(SUITES), Methods.only(HttpMethod.GET, HttpMethod.POST))
                .route(
                        RequestPredicates.path(SUITE)
                                .or(RequestPredicates.path(VERSIONS))
                                .or(RequestPredicates.path(EXPORT))
                                .or(RequestPredicates.path(PLAN)),
                        Methods.only(HttpMethod.GET))
                .build();
    }
}
