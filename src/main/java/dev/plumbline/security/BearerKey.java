package dev.plumbline.security;

import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads {@code Authorization: Bearer KEY} and checks the key. */
final class BearerKey implements ServerAuthenticationConverter, ReactiveAuthenticationManager {
    private static final String SCHEME = "Bearer ";

    private final ApiKey key;

    BearerKey(ApiKey key) {
        this.key = key;
    }

    @Override
    public Mono<Authentication> convert(ServerWebExchange exchange) {
        List<String> values = exchange.getRequest().getHeaders().getOrEmpty(HttpHeaders.AUTHORIZATION);
        if (values.size() != 1 || !values.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Mono.empty();
        }
        return Mono.just(new Sent(values.get(0).substring(SCHEME.length()).strip()));
    }

    @Override
    public Mono<Authentication> authenticate(Authentication authentication) {
        if (authentication instanceof Sent sent && key.matches(sent.candidate)) {
            return Mono.just(new Holder(key.owner()));
        }
        return Mono.error(new BadCredentialsException("wrong key"));
    }

    /** A key that came with a request and is not checked yet. */
    private static final class Sent extends AbstractAuthenticationToken {
        private static final long serialVersionUID = 1L;
        private final transient String candidate;

        Sent(String candidate) {
            super(AuthorityUtils.NO_AUTHORITIES);
            this.candidate = candidate;
        }

        @Override
        public Object getCredentials() {
            return null;
        }

        @Override
        public Object getPrincipal() {
            return "unknown";
        }
    }

    /** Someone who holds the key. */
    private static final class Holder extends AbstractAuthenticationToken {
        private static final long serialVersionUID = 1L;

        private final String owner;

        Holder(String owner) {
            super(AuthorityUtils.NO_AUTHORITIES);
            this.owner = owner;
            setAuthenticated(true);
        }

        @Override
        public Object getCredentials() {
            return null;
        }

        @Override
        public Object getPrincipal() {
            return owner;
        }
    }
}
