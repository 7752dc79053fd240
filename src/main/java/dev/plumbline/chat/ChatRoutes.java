package dev.plumbline.chat;

import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.MethodNotAllowedException;
import reactor.core.publisher.Mono;

/** Paths of the OpenAI-compatible API. */
@Configuration(proxyBeanMethods = false)
class ChatRoutes {
    private static final String COMPLETIONS = "/v1/chat/completions";
    private static final String MODELS = "/v1/models";
    private static final String MODEL = "/v1/models/{id}";

    @Bean
    RouterFunction<ServerResponse> openAiRoutes(ChatHandler chat, ModelsHandler models) {
        return RouterFunctions.route()
                .POST(COMPLETIONS, chat::complete)
                .GET(MODELS, models::list)
                .GET(MODEL, models::one)
                .route(RequestPredicates.path(COMPLETIONS), only(HttpMethod.GET, HttpMethod.POST))
                .route(RequestPredicates.path(MODELS), only(HttpMethod.GET))
                .route(RequestPredicates.path(MODEL), only(HttpMethod.GET))
                .build();
    }

    static HandlerFunction<ServerResponse> only(HttpMethod... allowed) {
        return request -> Mono.error(new MethodNotAllowedException(request.method(), Set.of(allowed)));
    }
}
