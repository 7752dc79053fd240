package dev.plumbline.security;

import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Tokens that pages must send back with what changes something. */
public final class CsrfTokens {
    private CsrfTokens() {}

    /** The token for a page that answers this request; asking for it sets its cookie. Empty for a request with a key. */
    public static Mono<CsrfToken> of(ServerRequest request) {
        Mono<CsrfToken> token = request.exchange().getAttribute(CsrfToken.class.getName());
        return token == null ? Mono.empty() : token;
    }
}
