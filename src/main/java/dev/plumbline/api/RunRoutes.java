package dev.plumbline.api;

import dev.plumbline.http.Methods;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Paths of runs. */
@Configuration(proxyBeanMethods = false)
class RunRoutes {
    private static final String RUNS = "/api/runs";
    private static final String RUN = RUNS + "/{id}";
    private static final String GRID = RUN + "/grid";
    private static final String CELLS = RUN + "/cells";
    private static final String CELL = CELLS + "/{*cell}";
    private static final String EVENTS = RUN + "/events";
    private static final String CANCEL = RUN + "/cancel";

    @Bean
    RouterFunction<ServerResponse> runPaths(RunsHandler runs, RunCellsHandler cells) {
        return RouterFunctions.route()
                .POST(RUNS, runs::start)
                .GET(RUNS, runs::list)
                .GET(RUN, runs::one)
                .DELETE(RUN, runs::delete)
                .POST(CANCEL, runs::cancel)
                .GET(EVENTS, cells::events)
                .GET(GRID, cells::grid)
                .GET(CELLS, cells::list)
                .GET(CELL, cells::one)
                .route(RequestPredicates.path(RUNS), Methods.only(HttpMethod.GET, HttpMethod.POST))
                .route(RequestPredicates.path(RUN), Methods.only(HttpMethod.GET, HttpMethod.DELETE))
                .route(RequestPredicates.path(CANCEL), Methods.only(HttpMethod.POST))
                .route(
                        RequestPredicates.path(EVENTS)
                                .or(RequestPredicates.path(GRID))
                                .or(RequestPredicates.path(CELLS))
                                .or(RequestPredicates.path(CELL)),
                        Methods.only(HttpMethod.GET))
                .build();
    }
}
