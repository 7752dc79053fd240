package dev.plumbline.security;

import java.util.List;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.ReactiveAuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.authorization.AuthorizationContext;
import reactor.core.publisher.Mono;

/** Lets callers pass that have one of some scopes; the refusal of others names the first. */
record Needs(List<Scope> scopes) implements ReactiveAuthorizationManager<AuthorizationContext> {

    Needs(Scope... scopes) {
        this(List.of(scopes));
    }

    @Override
    public Mono<AuthorizationResult> authorize(Mono<Authentication> authentication, AuthorizationContext context) {
        return authentication
                .ofType(Caller.class)
                .<AuthorizationResult>handle((caller, sink) -> {
                    if (scopes.stream().anyMatch(caller.scopes()::contains)) {
                        sink.next(new AuthorizationDecision(true));
                    } else {
                        sink.error(new MissingScopeException(scopes.get(0)));
                    }
                })
                .defaultIfEmpty(new AuthorizationDecision(false));
    }
}
