package dev.plumbline.security;

import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseUnavailableException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Reads {@code Authorization: Bearer KEY} and checks the key: the operator's own without the database, others by their
 * hash in it. Fails with {@link dev.plumbline.database.DatabaseUnavailableException} when it cannot know.
 */
@Component
final class BearerKey implements ServerAuthenticationConverter {
    private static final String SCHEME = "Bearer ";
    private static final String OPERATOR = "PLUMBLINE_API_KEY";

    private final Access access;
    private final Database database;
    private final KeyUse use;
    private final BriefCache<String, KeyTable.Working> known = new BriefCache<>();

    BearerKey(Access access, Database database, KeyUse use) {
        this.access = access;
        this.database = database;
        this.use = use;
    }

    @Override
    public Mono<Authentication> convert(ServerWebExchange exchange) {
        List<String> values = exchange.getRequest().getHeaders().getOrEmpty(HttpHeaders.AUTHORIZATION);
        if (values.size() != 1 || !values.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Mono.empty();
        }
        return Mono.just(new Sent(values.get(0).substring(SCHEME.length()).strip()));
    }

    Mono<Authentication> authenticate(Authentication authentication) {
        if (!(authentication instanceof Sent sent)) {
            return wrong();
        }
        if (access.operatorKey().filter(key -> key.matches(sent.candidate)).isPresent()) {
            return Mono.just(Caller.byKey(Administrator.withoutDatabase(), Scope.all(), OPERATOR, null));
        }
        if (!ApiKey.isMade(sent.candidate)) {
            return wrong();
        }
        String hash = HexFormat.of().formatHex(ApiKey.hash(sent.candidate));
        return known.get(hash, this::load)
                .filter(key -> !key.expired(Instant.now()))
                .doOnNext(key -> use.used(key.id()))
                .<Authentication>map(
                        key -> Caller.byKey(key.user(), key.scopes(), key.id().toString(), key.rateLimit()))
                .switchIfEmpty(wrong());
    }

    /** The same, but nobody in particular while the database does not answer. */
    Mono<Authentication> authenticateLeniently(Authentication authentication) {
        return authenticate(authentication)
                .onErrorMap(DatabaseUnavailableException.class, e -> new BadCredentialsException("unknown key"));
    }

    /** On the threads for short calls: nobody is kept out because others search. */
    private Mono<KeyTable.Working> load(String hash) {
        return database.recording(() -> database.now(client ->
                KeyTable.working(client, HexFormat.of().parseHex(hash)).orElse(null)));
    }

    private static Mono<Authentication> wrong() {
        return Mono.error(() -> new BadCredentialsException("wrong key"));
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
}
