package dev.plumbline.security;

import org.springframework.core.codec.DecodingException;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpStatus;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Forms that cannot be read are faults of whoever sent them, who may be anyone: the CSRF token is looked for in them. */
final class FormBodies {
    private FormBodies() {}

    static Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(new ServerWebExchangeDecorator(exchange) {
            @Override
            public Mono<MultiValueMap<String, String>> getFormData() {
                return super.getFormData()
                        .onErrorMap(DataBufferLimitException.class, e -> refusal(HttpStatus.CONTENT_TOO_LARGE, e))
                        .onErrorMap(DecodingException.class, e -> refusal(HttpStatus.BAD_REQUEST, e))
                        .onErrorMap(IllegalArgumentException.class, e -> refusal(HttpStatus.BAD_REQUEST, e));
            }
        });
    }

    private static ResponseStatusException refusal(HttpStatus status, Exception cause) {
        return new ResponseStatusException(status, null, cause);
    }
}
