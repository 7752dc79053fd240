package dev.plumbline.api;

import dev.plumbline.http.Methods;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Paths of comparisons and of exports. */
@Configuration(proxyBeanMethods = false)
class ComparisonRoutes {
    private static final String COMPARE = "/api/compare";
    private static final String COMPARISONS = "/api/comparisons";
    private static final String COMPARISON = COMPARISONS + "/{id}";
    private static final String RUN = "/api/runs/{id}";
    private static final String CSV = "/export.csv";
    private static final String JSON = "/export.json";
    private static final String JUNIT = "/export.junit.xml";
    private static final String MARKDOWN = "/report.md";

    @Bean
    RouterFunction<ServerResponse> comparisonPaths(ComparisonsHandler comparisons, ExportsHandler exports) {
        return RouterFunctions.route()
                .GET(COMPARE, comparisons::compare)
                .GET(COMPARISONS, comparisons::list)
                .POST(COMPARISONS, comparisons::start)
                .GET(COMPARISON, comparisons::one)
                .GET(COMPARISON + JSON, exports::comparisonJson)
                .GET(COMPARISON + JUNIT, exports::comparisonJUnit)
                .GET(COMPARISON + MARKDOWN, exports::comparisonMarkdown)
                .GET(RUN + CSV, exports::runCsv)
                .GET(RUN + JSON, exports::runJson)
                .GET(RUN + JUNIT, exports::runJUnit)
                .GET(RUN + MARKDOWN, exports::runMarkdown)
                .route(RequestPredicates.path(COMPARISONS), Methods.only(HttpMethod.GET, HttpMethod.POST))
                .route(
                        RequestPredicates.path(COMPARE)
                                .or(RequestPredicates.path(COMPARISON))
                                .or(RequestPredicates.path(COMPARISON + JSON))
                                .or(RequestPredicates.path(COMPARISON + JUNIT))
                                .or(RequestPredicates.path(COMPARISON + MARKDOWN))
                                .or(RequestPredicates.path(RUN + CSV))
                                .or(RequestPredicates.path(RUN + JSON))
                                .or(RequestPredicates.path(RUN + JUNIT))
                                .or(RequestPredicates.path(RUN + MARKDOWN)),
                        Methods.only(HttpMethod.GET))
                .build();
    }
}
