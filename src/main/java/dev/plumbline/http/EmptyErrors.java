package dev.plumbline.http;

import io.netty.handler.codec.http.HttpMethod;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Gives the error object to refusals that are made without one below Spring's handlers, such as that of an address which
 * is no URI.
 */
@Component
final class EmptyErrors implements NettyServerCustomizer {
    private static final int FIRST_ERROR = 400;

    private final ErrorMetrics errors;

    EmptyErrors(ErrorMetrics errors) {
        this.errors = errors;
    }

    @Override
    public HttpServer apply(HttpServer server) {
        return server.mapHandle((handled, connection) -> handled.then(Mono.defer(() -> explain(connection))));
    }

    private Mono<Void> explain(Connection connection) {
        if (!(connection instanceof HttpServerRequest request)
                || !(connection instanceof HttpServerResponse response)
                || response.hasSentHeaders()
                || response.status().code() < FIRST_ERROR
                || request.method().equals(HttpMethod.HEAD)) {
            return Mono.empty();
        }
        HttpStatus status = HttpStatus.valueOf(response.status().code());
        ApiException error = status == HttpStatus.BAD_REQUEST
                ? ApiException.invalid(
                        status,
                        null,
                        "invalid_url",
                        "The URL is malformed: '" + Refusal.shorten(request.uri())
                                + "'; allowed: characters of RFC 3986, others percent-encoded as UTF-8.")
                : ApiException.invalid(status, null, null, status.getReasonPhrase() + ".");
        return response.header("Content-Type", "application/json")
                .sendString(Mono.just(ErrorJson.of(errors.counted(error))))
                .then();
    }
}
