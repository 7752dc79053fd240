package dev.plumbline.security;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.ServerAuthenticationEntryPoint;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.security.web.server.authentication.ServerAuthenticationEntryPointFailureHandler;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import reactor.core.publisher.Mono;

/**
 * Everything needs the key but health and the files of Swagger UI. No sessions and no cookies, hence nothing for CSRF to
 * ride on.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
class SecurityConfiguration {
    private static final String POLICY = "default-src 'none'; frame-ancestors 'none'";

    private static final String PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** Static files that hold nothing of this server; what they show needs the key. */
    @Bean
    @Order(0)
    SecurityWebFilterChain apiPageSecurity(ServerHttpSecurity http) {
        return http.securityMatcher(
                        ServerWebExchangeMatchers.pathMatchers(HttpMethod.GET, "/swagger-ui.html", "/swagger-ui/**"))
                .csrf(ServerHttpSecurity.CsrfSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .headers(headers -> headers.contentSecurityPolicy(csp -> csp.policyDirectives(PAGE_POLICY))
                        .contentTypeOptions(Customizer.withDefaults()))
                .authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                .build();
    }

    @Bean
    SecurityWebFilterChain apiSecurity(ServerHttpSecurity http, ApiKey key) {
        // The refusal is worded where every other error is.
        ServerAuthenticationEntryPoint refuse = (exchange, failure) -> Mono.error(failure);
        return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .headers(headers -> headers.contentSecurityPolicy(csp -> csp.policyDirectives(POLICY))
                        .contentTypeOptions(Customizer.withDefaults()))
                .addFilterAt(bearer(key, refuse), SecurityWebFiltersOrder.AUTHENTICATION)
                .exceptionHandling(handling -> handling.authenticationEntryPoint(refuse)
                        .accessDeniedHandler((exchange, denied) -> Mono.error(denied)))
                .authorizeExchange(exchanges -> exchanges
                        .pathMatchers("/actuator/health", "/actuator/health/**")
                        .permitAll()
                        .anyExchange()
                        .authenticated())
                .build();
    }

    private static AuthenticationWebFilter bearer(ApiKey key, ServerAuthenticationEntryPoint refuse) {
        BearerKey bearer = new BearerKey(key);
        AuthenticationWebFilter filter = new AuthenticationWebFilter(bearer);
        filter.setServerAuthenticationConverter(bearer);
        filter.setAuthenticationFailureHandler(new ServerAuthenticationEntryPointFailureHandler(refuse));
        return filter;
    }
}
