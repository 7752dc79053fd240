package dev.plumbline.security;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseCookie.ResponseCookieBuilder;
import org.springframework.security.web.server.authentication.ServerAuthenticationSuccessHandler;
import org.springframework.security.web.server.csrf.CookieServerCsrfTokenRepository;
import org.springframework.security.web.server.csrf.ServerCsrfTokenRepository;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.session.CookieWebSessionIdResolver;
import org.springframework.web.server.session.DefaultWebSessionManager;
import org.springframework.web.server.session.InMemoryWebSessionStore;
import org.springframework.web.server.session.WebSessionIdResolver;
import org.springframework.web.server.session.WebSessionManager;
import reactor.core.publisher.Mono;

/** Cookies: of the session, and of the CSRF token, which is kept in one lest strangers fill the memory with sessions. */
@Configuration(proxyBeanMethods = false)
class SessionConfiguration {
    static final String SESSION_COOKIE = "plumbline-session";
    static final String CSRF_COOKIE = "plumbline-csrf";

    private static final String CSRF_HEADER = "X-CSRF-TOKEN";
    private static final Set<HttpMethod> HARMLESS =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    /** As the login's filter finds it, percent-encoded too. */
    private static final ServerWebExchangeMatcher FORMS =
            ServerWebExchangeMatchers.pathMatchers(LoginPage.PATH, "/logout");

    private static final Consumer<ResponseCookieBuilder> STRICT =
            cookie -> cookie.httpOnly(true).sameSite("Strict").path("/");

    @Bean
    WebSessionIdResolver webSessionIdResolver() {
        CookieWebSessionIdResolver resolver = new CookieWebSessionIdResolver();
        resolver.setCookieName(SESSION_COOKIE);
        resolver.setCookieMaxAge(Duration.ofSeconds(-1));
        resolver.addCookieInitializer(STRICT);
        return resolver;
    }

    /** Boot's own store, which ends sessions that nobody uses. */
    @Bean
    SmartInitializingSingleton sessionClock(WebSessionManager manager, Access access) {
        return () -> {
            if (manager instanceof DefaultWebSessionManager sessions
                    && sessions.getSessionStore() instanceof InMemoryWebSessionStore store) {
                store.setClock(access.clock());
            }
        };
    }

    static ServerCsrfTokenRepository csrfTokens() {
        CookieServerCsrfTokenRepository tokens = new CookieServerCsrfTokenRepository();
        tokens.setCookieName(CSRF_COOKIE);
        tokens.setHeaderName(CSRF_HEADER);
        tokens.setCookieCustomizer(STRICT);
        return tokens;
    }

    /** Cookies of a request that came by TLS, to a proxy too, never go over plain HTTP. */
    static Mono<Void> secureCookies(ServerWebExchange exchange, WebFilterChain chain) {
        if ("https".equalsIgnoreCase(exchange.getRequest().getURI().getScheme())) {
            exchange.getResponse()
                    .beforeCommit(() -> Mono.fromRunnable(
                            () -> exchange.getResponse().getCookies().replaceAll((name, cookies) -> secured(cookies))));
        }
        return chain.filter(exchange);
    }

    private static List<ResponseCookie> secured(List<ResponseCookie> cookies) {
        return cookies.stream()
                .map(cookie -> cookie.mutate().secure(true).build())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** A request that changes something in the name of a session, or begins or ends one. */
    static Mono<MatchResult> needsCsrfToken(ServerWebExchange exchange) {
        boolean session = exchange.getRequest().getCookies().containsKey(SESSION_COOKIE);
        boolean changes = !HARMLESS.contains(exchange.getRequest().getMethod());
        if (!changes || session) {
            return changes ? MatchResult.match() : MatchResult.notMatch();
        }
        return FORMS.matches(exchange);
    }

    /** A token that was given out before the login is worth nothing afterwards. */
    static ServerAuthenticationSuccessHandler newCsrfToken(ServerAuthenticationSuccessHandler next) {
        ServerCsrfTokenRepository tokens = csrfTokens();
        return (exchange, authentication) -> tokens.saveToken(exchange.getExchange(), null)
                .then(next.onAuthenticationSuccess(exchange, authentication));
    }
}
