package dev.plumbline.security;

import dev.plumbline.database.Database;
import java.net.URI;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.AuthorizeExchangeSpec;
import org.springframework.security.web.server.DelegatingServerAuthenticationEntryPoint;
import org.springframework.security.web.server.DelegatingServerAuthenticationEntryPoint.DelegateEntry;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.ServerAuthenticationEntryPoint;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.security.web.server.authentication.RedirectServerAuthenticationEntryPoint;
import org.springframework.security.web.server.authentication.RedirectServerAuthenticationSuccessHandler;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.security.web.server.authentication.ServerAuthenticationFailureHandler;
import org.springframework.security.web.server.authentication.logout.DelegatingServerLogoutHandler;
import org.springframework.security.web.server.authentication.logout.RedirectServerLogoutSuccessHandler;
import org.springframework.security.web.server.authentication.logout.SecurityContextServerLogoutHandler;
import org.springframework.security.web.server.authentication.logout.WebSessionServerLogoutHandler;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedHandler;
import org.springframework.security.web.server.header.ReferrerPolicyServerHttpHeadersWriter.ReferrerPolicy;
import org.springframework.security.web.server.savedrequest.NoOpServerRequestCache;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Who may pass. A request with an {@code Authorization} header stands on its own: no session, no cookie, hence nothing
 * for CSRF to ride on. Any other may have a session, and then must prove where it comes from if it changes something.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
class SecurityConfiguration {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private static final String CONSOLE = "/console";

    /** The refusal is worded where every other error is. */
    private static final ServerAuthenticationEntryPoint REFUSE = (exchange, failure) -> Mono.error(failure);

    /** Worded like every other error too. */
    @Bean
    ServerExchangeRejectedHandler rejectedRequests() {
        return (exchange, rejected) -> Mono.error(rejected);
    }

    @Bean
    Attempts attempts(Access access) {
        return new Attempts(access.clock());
    }

    @Bean(destroyMethod = "close")
    Login login(Database database, Attempts attempts) {
        return new Login(database, attempts);
    }

    /** Static files that hold nothing of this server; what they show needs a key or a session. */
    @Bean
    @Order(0)
    SecurityWebFilterChain fileSecurity(ServerHttpSecurity http) {
        return plain(http)
                .securityMatcher(ServerWebExchangeMatchers.pathMatchers(
                        HttpMethod.GET, "/swagger-ui.html", "/swagger-ui/**", "/ui/**"))
                .csrf(ServerHttpSecurity.CsrfSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                .build();
    }

    /** Open to all, whatever they send; it tells more to those whom it knows. */
    @Bean
    @Order(1)
    SecurityWebFilterChain healthSecurity(ServerHttpSecurity http, BearerKey bearer, Sessions sessions) {
        ServerAuthenticationFailureHandler ignore =
                (exchange, failure) -> exchange.getChain().filter(exchange.getExchange());
        return plain(http)
                .securityMatcher(ServerWebExchangeMatchers.pathMatchers("/actuator/health", "/actuator/health/**"))
                .csrf(ServerHttpSecurity.CsrfSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .securityContextRepository(sessions)
                .addFilterAt(
                        filter(bearer::authenticateLeniently, bearer, SecurityConfiguration::hasAuthorization, ignore),
                        SecurityWebFiltersOrder.AUTHENTICATION)
                .authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                .build();
    }

    @Bean
    @Order(2)
    SecurityWebFilterChain keySecurity(ServerHttpSecurity http, BearerKey bearer, RateLimits limits) {
        ServerAuthenticationFailureHandler refuse = (exchange, failure) -> Mono.error(failure);
        return plain(http)
                .securityMatcher(SecurityConfiguration::hasAuthorization)
                .csrf(ServerHttpSecurity.CsrfSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .addFilterAt(
                        filter(bearer::authenticate, bearer, ServerWebExchangeMatchers.anyExchange(), refuse),
                        SecurityWebFiltersOrder.AUTHENTICATION)
                .addFilterAfter(limits::filter, SecurityWebFiltersOrder.AUTHORIZATION)
                .exceptionHandling(handling -> handling.authenticationEntryPoint(REFUSE)
                        .accessDeniedHandler((exchange, denied) -> Mono.error(denied)))
                .authorizeExchange(SecurityConfiguration::scopes)
                .build();
    }

    @Bean
    @Order(3)
    SecurityWebFilterChain sessionSecurity(ServerHttpSecurity http, Login login, Sessions sessions, RateLimits limits) {
        return plain(http)
                .csrf(csrf -> csrf.csrfTokenRepository(SessionConfiguration.csrfTokens())
                        .requireCsrfProtectionMatcher(SessionConfiguration::needsCsrfToken)
                        .accessDeniedHandler((exchange, denied) -> Mono.error(denied)))
                .logout(logout -> logout.logoutHandler(new DelegatingServerLogoutHandler(
                                new SecurityContextServerLogoutHandler(), new WebSessionServerLogoutHandler()))
                        .logoutSuccessHandler(toLogin()))
                .securityContextRepository(sessions)
                .addFilterAt(SessionConfiguration::secureCookies, SecurityWebFiltersOrder.FIRST)
                .addFilterAt(FormBodies::filter, SecurityWebFiltersOrder.FIRST)
                .addFilterAt(loginFilter(login, sessions), SecurityWebFiltersOrder.FORM_LOGIN)
                .addFilterAfter(limits::filter, SecurityWebFiltersOrder.AUTHORIZATION)
                .exceptionHandling(handling -> handling.authenticationEntryPoint(entryPoint())
                        .accessDeniedHandler((exchange, denied) -> Mono.error(denied)))
                .authorizeExchange(exchanges ->
                        scopes(exchanges.pathMatchers(LoginPage.PATH).permitAll()))
                .build();
    }

    private static ServerHttpSecurity plain(ServerHttpSecurity http) {
        return http.httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .headers(headers -> headers.contentSecurityPolicy(csp -> csp.policyDirectives(POLICY))
                        .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.NO_REFERRER))
                        .contentTypeOptions(Customizer.withDefaults()));
    }

    private static void scopes(AuthorizeExchangeSpec exchanges) {
        exchanges
                .pathMatchers(
                        HttpMethod.GET,
                        "/api/run-configs",
                        "/api/run-configs/**",
                        "/api/activations",
                        "/api/activations/**",
                        "/api/suites",
                        "/api/suites/**")
                .access(new Needs(Scope.CHAT, Scope.OPERATE))
                .pathMatchers(
                        "/api/run-configs",
                        "/api/run-configs/**",
                        "/api/activations",
                        "/api/activations/**",
                        "/api/suites",
                        "/api/suites/**")
                .access(new Needs(Scope.OPERATE))
                .pathMatchers(
                        HttpMethod.GET,
                        "/api/runs",
                        "/api/runs/**",
                        "/api/compare",
                        "/api/comparisons",
                        "/api/comparisons/**")
                .access(new Needs(Scope.CHAT, Scope.OPERATE))
                .pathMatchers(
                        "/api/runs",
                        "/api/runs/**",
                        "/api/compare",
                        "/api/comparisons",
                        "/api/comparisons/**",
                        "/api/targets",
                        "/api/targets/**")
                .access(new Needs(Scope.OPERATE))
                .pathMatchers("/v1/**", "/api/conversations", "/api/conversations/**")
                .access(new Needs(Scope.CHAT))
                .pathMatchers("/actuator/**", "/api/engine", "/api/engine/**", "/console/engine")
                .access(new Needs(Scope.OPERATE))
                .pathMatchers("/api/schedules", "/api/schedules/**")
                .access(new Needs(Scope.OPERATE))
                .pathMatchers("/api/keys", "/api/keys/**", "/api/users", "/api/users/**")
                .access(new Needs(Scope.ADMIN))
                .anyExchange()
                .authenticated();
    }

    private static AuthenticationWebFilter filter(
            ReactiveAuthenticationManager manager,
            ServerAuthenticationConverter converter,
            ServerWebExchangeMatcher matcher,
            ServerAuthenticationFailureHandler failure) {
        AuthenticationWebFilter filter = new AuthenticationWebFilter(manager);
        filter.setServerAuthenticationConverter(converter);
        filter.setRequiresAuthenticationMatcher(matcher);
        filter.setAuthenticationFailureHandler(failure);
        return filter;
    }

    /** A refused login goes on to the page of the form. */
    private static AuthenticationWebFilter loginFilter(Login login, Sessions sessions) {
        ServerAuthenticationFailureHandler showAgain = (exchange, failure) -> {
            exchange.getExchange().getAttributes().put(LoginPage.FAILURE, failure);
            return exchange.getChain().filter(exchange.getExchange());
        };
        AuthenticationWebFilter filter = filter(
                login::authenticate,
                login,
                ServerWebExchangeMatchers.pathMatchers(HttpMethod.POST, LoginPage.PATH),
                showAgain);
        filter.setSecurityContextRepository(sessions);
        // Always there, never where the request says: nobody can send people elsewhere by a link to the login.
        RedirectServerAuthenticationSuccessHandler toConsole = new RedirectServerAuthenticationSuccessHandler(CONSOLE);
        toConsole.setRequestCache(NoOpServerRequestCache.getInstance());
        filter.setAuthenticationSuccessHandler(SessionConfiguration.newCsrfToken(toConsole));
        return filter;
    }

    private static RedirectServerLogoutSuccessHandler toLogin() {
        RedirectServerLogoutSuccessHandler handler = new RedirectServerLogoutSuccessHandler();
        handler.setLogoutSuccessUrl(URI.create(LoginPage.PATH));
        return handler;
    }

    /** People are sent to the login, programs are told. */
    private static ServerAuthenticationEntryPoint entryPoint() {
        RedirectServerAuthenticationEntryPoint redirect = new RedirectServerAuthenticationEntryPoint(LoginPage.PATH);
        // By default it begins a session to remember the request: strangers could fill the store, and nobody log in.
        redirect.setRequestCache(NoOpServerRequestCache.getInstance());
        DelegatingServerAuthenticationEntryPoint entryPoint =
                new DelegatingServerAuthenticationEntryPoint(new DelegateEntry(
                        ServerWebExchangeMatchers.pathMatchers(HttpMethod.GET, CONSOLE, CONSOLE + "/**"), redirect));
        entryPoint.setDefaultEntryPoint(REFUSE);
        return entryPoint;
    }

    private static Mono<MatchResult> hasAuthorization(ServerWebExchange exchange) {
        return exchange.getRequest().getHeaders().containsHeader(HttpHeaders.AUTHORIZATION)
                ? MatchResult.match()
                : MatchResult.notMatch();
    }
}
