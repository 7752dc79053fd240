package dev.plumbline.security;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.AuthenticationException;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;

/** The login form; a refused login comes back to it. */
@Configuration(proxyBeanMethods = false)
class LoginPage {
    static final String PATH = "/login";

    /** Attribute of the exchange: why the login was refused. */
    static final String FAILURE = LoginPage.class.getName() + ".failure";

    @Bean
    RouterFunction<ServerResponse> loginRoutes() {
        return RouterFunctions.route()
                .GET(PATH, request -> page(request, HttpStatus.OK, null))
                .POST(PATH, LoginPage::refused)
                .build();
    }

    private static Mono<ServerResponse> refused(ServerRequest request) {
        Object failure = request.exchange().getAttribute(FAILURE);
        if (failure instanceof LoginLockedException locked) {
            return page(
                    request,
                    HttpStatus.TOO_MANY_REQUESTS,
                    "Too many wrong passwords. Try again in " + words(locked.left()) + ".");
        }
        return failure instanceof AuthenticationException
                ? page(request, HttpStatus.UNAUTHORIZED, "Wrong name or password.")
                // A request with a key is no login.
                : Mono.error(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }

    private static Mono<ServerResponse> page(ServerRequest request, HttpStatus status, String message) {
        return CsrfTokens.of(request)
                .flatMap(token -> {
                    Map<String, Object> model = new HashMap<>();
                    model.put("_csrf", token);
                    if (message != null) {
                        model.put("message", message);
                    }
                    ServerResponse.BodyBuilder response = ServerResponse.status(status);
                    if (request.exchange().getAttribute(FAILURE) instanceof LoginLockedException locked) {
                        response.header("Retry-After", String.valueOf(seconds(locked.left())));
                    }
                    return response.render("login", model);
                })
                // A request with a key has nothing to log in for.
                .switchIfEmpty(Mono.error(() -> new ResponseStatusException(HttpStatus.NOT_FOUND)));
    }

    private static long seconds(Duration left) {
        return left.plusMillis(999).toSeconds();
    }

    private static String words(Duration left) {
        long seconds = seconds(left);
        long minutes = (seconds + 59) / 60;
        return seconds < 60 ? seconds + " seconds" : minutes + (minutes == 1 ? " minute" : " minutes");
    }
}
