package dev.plumbline.api;

import dev.plumbline.http.Methods;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Paths of run configs. */
@Configuration(proxyBeanMethods = false)
class RunConfigRoutes {
    private static final String CONFIGS = "/api/run-configs";
    private static final String DIFF = CONFIGS + "/diff";
    private static final String YAML = CONFIGS + "/{name}.yaml";
    private static final String CONFIG = CONFIGS + "/{name}";
    private static final String VERSIONS = CONFIG + "/versions";
    private static final String ACTIVATE = CONFIG + "/activate";
    private static final String ROLLBACK = CONFIGS + "/rollback";
    private static final String ACTIVATIONS = "/api/activations";
    private static final String ACTIVATION = ACTIVATIONS + "/{id}";

    @Bean
    RouterFunction<ServerResponse> runConfigPaths(RunConfigsHandler configs, ActivationsHandler activations) {
        return RouterFunctions.route()
                .GET(CONFIGS, configs::list)
                .POST(CONFIGS, configs::create)
                .GET(DIFF, configs::diff)
                .route(RequestPredicates.path(DIFF), Methods.only(HttpMethod.GET))
                // Before the path of one config, of whom these are no names.
                .POST(ROLLBACK, activations::rollback)
                .route(RequestPredicates.path(ROLLBACK), Methods.only(HttpMethod.POST))
                .GET(YAML, configs::yaml)
                .GET(CONFIG, configs::one)
                .GET(VERSIONS, configs::versions)
                .POST(ACTIVATE, activations::activate)
                .GET(ACTIVATIONS, activations::list)
                .GET(ACTIVATION, activations::one)
                .route(RequestPredicates.path(ACTIVATE), Methods.only(HttpMethod.POST))
                .route(RequestPredicates.path(CONFIGS), Methods.only(HttpMethod.GET, HttpMethod.POST))
                .route(
                        RequestPredicates.path(CONFIG)
                                .or(RequestPredicates.path(VERSIONS))
                                .or(RequestPredicates.path(ACTIVATIONS))
                                .or(RequestPredicates.path(ACTIVATION)),
                        Methods.only(HttpMethod.GET))
                .build();
    }
}
