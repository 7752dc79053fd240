package dev.plumbline.chat;

import dev.plumbline.http.Methods;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Paths of the history. */
@Configuration(proxyBeanMethods = false)
class HistoryRoutes {
    private static final String COMPLETION = "/v1/chat/completions/{id}";
    private static final String MESSAGES = COMPLETION + "/messages";
    private static final String CONVERSATIONS = "/api/conversations";
    private static final String CONVERSATION = CONVERSATIONS + "/{id}";
    private static final String EXPORT = CONVERSATION + "/export";

    /** Before the routes that refuse the rest of {@code /v1/chat/completions}. */
    @Bean
    @Order(-1)
    RouterFunction<ServerResponse> historyPaths(CompletionsHandler completions, ConversationsHandler conversations) {
        return RouterFunctions.route()
                .GET("/v1/chat/completions", completions::list)
                .GET(COMPLETION, completions::one)
                .POST(COMPLETION, completions::update)
                .DELETE(COMPLETION, completions::delete)
                .GET(MESSAGES, completions::messages)
                .POST(CONVERSATIONS, conversations::create)
                .GET(CONVERSATIONS, conversations::list)
                .GET(CONVERSATION, conversations::one)
                .PATCH(CONVERSATION, conversations::update)
                .DELETE(CONVERSATION, conversations::delete)
                .GET(EXPORT, conversations::export)
                .route(
                        RequestPredicates.path(COMPLETION),
                        Methods.only(HttpMethod.GET, HttpMethod.POST, HttpMethod.DELETE))
                .route(RequestPredicates.path(MESSAGES), Methods.only(HttpMethod.GET))
                .route(RequestPredicates.path(CONVERSATIONS), Methods.only(HttpMethod.GET, HttpMethod.POST))
                .route(
                        RequestPredicates.path(CONVERSATION),
                        Methods.only(HttpMethod.GET, HttpMethod.PATCH, HttpMethod.DELETE))
                .route(RequestPredicates.path(EXPORT), Methods.only(HttpMethod.GET))
                .build();
    }
}
