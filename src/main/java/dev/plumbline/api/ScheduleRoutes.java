package dev.plumbline.api;

import dev.plumbline.http.Methods;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Paths of schedules. */
@Configuration(proxyBeanMethods = false)
class ScheduleRoutes {
    private static final String SCHEDULES = "/api/schedules";
    private static final String SCHEDULE = SCHEDULES + "/{id}";
    private static final String RUN_NOW = SCHEDULE + "/run-now";
    private static final String FIRINGS = SCHEDULE + "/firings";

    @Bean
    RouterFunction<ServerResponse> schedulePaths(SchedulesHandler schedules) {
        return RouterFunctions.route()
                .GET(SCHEDULES, schedules::list)
                .POST(SCHEDULES, schedules::create)
                .GET(SCHEDULE, schedules::one)
                .PUT(SCHEDULE, schedules::replace)
                .DELETE(SCHEDULE, schedules::delete)
                .POST(RUN_NOW, schedules::runNow)
                .GET(FIRINGS, schedules::firings)
                .route(RequestPredicates.path(SCHEDULES), Methods.only(HttpMethod.GET, HttpMethod.POST))
                .route(
                        RequestPredicates.path(SCHEDULE),
                        Methods.only(HttpMethod.GET, HttpMethod.PUT, HttpMethod.DELETE))
                .route(RequestPredicates.path(RUN_NOW), Methods.only(HttpMethod.POST))
                .route(RequestPredicates.path(FIRINGS), Methods.only(HttpMethod.GET))
                .build();
    }
}
