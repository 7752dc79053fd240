package dev.plumbline.chat;

import dev.plumbline.http.Methods;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

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
                .route(RequestPredicates.path(COMPLETIONS), Methods.only(HttpMethod.GET, HttpMethod.POST))
                .route(RequestPredicates.path(MODELS), Methods.only(HttpMethod.GET))
                .route(RequestPredicates.path(MODEL), Methods.only(HttpMethod.GET))
                .build();
    }
}
