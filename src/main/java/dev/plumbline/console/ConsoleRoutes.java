package dev.plumbline.console;

import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.TargetSlot;
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
    private static final String PAGE = "/console";
    private static final String RUN_CONFIGS = "/console/run-configs";
    private static final String RECALL = "/console/recall";
    private static final String CARD = "/console/engine";
    private static final String ENGINE = "/api/engine";
    private static final String MODELS = "/api/engine/models";

    @Bean
    EmbeddedModelsHandler embeddedModels(TargetSlot slot) {
        return new EmbeddedModelsHandler(ModelLocator.standard().embedded(), slot);
    }

    @Bean
    RouterFunction<ServerResponse> consolePaths(
            ConsoleHandler console,
            RunConfigsPage runConfigs,
            RecallPage recall,
            EngineHandler engine,
            EmbeddedModelsHandler models) {
        return RouterFunctions.route()
                .GET(PAGE, console::page)
                .GET(CARD, console::card)
                .GET(RUN_CONFIGS, runConfigs::page)
                .GET(RECALL, recall::page)
                .GET(ENGINE, engine::json)
                .GET(MODELS, models::json)
                .route(
                        RequestPredicates.path(PAGE)
                                .or(RequestPredicates.path(CARD))
                                .or(RequestPredicates.path(RUN_CONFIGS))
                                .or(RequestPredicates.path(RECALL))
                                .or(RequestPredicates.path(ENGINE))
                                .or(RequestPredicates.path(MODELS)),
                        ConsoleRoutes::onlyGet)
                .build();
    }

    private static Mono<ServerResponse> onlyGet(ServerRequest request) {
        return Mono.error(new MethodNotAllowedException(request.method(), Set.of(HttpMethod.GET)));
    }
}
