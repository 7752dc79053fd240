package dev.plumbline.security;

import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.ReactiveAuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.authorization.AuthorizationContext;
import reactor.core.publisher.Mono;

/** Lets callers pass that have a scope; the refusal of others names it. */
record Needs(Scope scope) implements ReactiveAuthorizationManager<AuthorizationContext> {

    @Override
    public Mono<AuthorizationResult> authorize(Mono<Authentication> authentication, AuthorizationContext context) {
        return authentication
                .ofType(Caller.class)
                .<AuthorizationResult>handle((caller, sink) -> {
                    if (caller.scopes().contains(scope)) {
                        sink.next(new AuthorizationDecision(true));
                    } else {
                        sink.error(new MissingScopeException(scope));
                    }
                })
                .defaultIfEmpty(new AuthorizationDecision(false));
    }
}
