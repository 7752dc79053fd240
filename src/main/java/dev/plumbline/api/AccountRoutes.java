package dev.plumbline.api;

import dev.plumbline.http.Methods;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Paths of keys and users. */
@Configuration(proxyBeanMethods = false)
class AccountRoutes {
    private static final String KEYS = "/api/keys";
    private static final String KEY = KEYS + "/{id}";
    private static final String USERS = "/api/users";
    private static final String USER = USERS + "/{id}";

    @Bean
    RouterFunction<ServerResponse> accountPaths(KeysHandler keys, UsersHandler users) {
        return RouterFunctions.route()
                .GET(KEYS, keys::list)
                .POST(KEYS, keys::create)
                .DELETE(KEY, keys::revoke)
                .GET(USERS, users::list)
                .POST(USERS, users::create)
                .PATCH(USER, users::change)
                .route(RequestPredicates.path(KEYS), Methods.only(HttpMethod.GET, HttpMethod.POST))
                .route(RequestPredicates.path(KEY), Methods.only(HttpMethod.DELETE))
                .route(RequestPredicates.path(USERS), Methods.only(HttpMethod.GET, HttpMethod.POST))
                .route(RequestPredicates.path(USER), Methods.only(HttpMethod.PATCH))
                .build();
    }
}
