package dev.plumbline.security;

import org.springframework.security.web.reactive.result.view.CsrfRequestDataValueProcessor;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Gives every page of a controller its CSRF token, as the model's {@code _csrf}; asking for it sets its cookie. */
@ControllerAdvice(basePackages = "dev.plumbline")
final class CsrfAdvice {
    @ModelAttribute("_csrf")
    Mono<CsrfToken> token(ServerWebExchange exchange) {
        Mono<CsrfToken> token = exchange.getAttribute(CsrfToken.class.getName());
        return token == null
                ? Mono.empty()
                : token.doOnNext(known ->
                        exchange.getAttributes().put(CsrfRequestDataValueProcessor.DEFAULT_CSRF_ATTR_NAME, known));
    }
}
