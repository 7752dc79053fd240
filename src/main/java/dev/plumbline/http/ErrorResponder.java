package dev.plumbline.http;

import java.nio.charset.StandardCharsets;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.util.DisconnectedClientHelper;
import reactor.core.publisher.Mono;

/** Answers every failed request, whoever refused it, with OpenAI's error object; a client that left gets none. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ErrorResponder implements WebExceptionHandler {
    private final ErrorMetrics errors;

    ErrorResponder(ErrorMetrics errors) {
        this.errors = errors;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        ServerHttpResponse response = exchange.getResponse();
        if (DisconnectedClientHelper.isClientDisconnectedException(failure)) {
            return Mono.empty();
        }
        if (response.isCommitted()) {
            return Mono.error(failure);
        }
        ApiException error = errors.counted(Failures.translate(failure));
        response.setStatusCode(error.status());
        response.getHeaders().clearContentHeaders();
        response.getHeaders().remove("X-Accel-Buffering");
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        error.headers().forEach(response.getHeaders()::set);
        byte[] body = ErrorJson.of(error).getBytes(StandardCharsets.UTF_8);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
