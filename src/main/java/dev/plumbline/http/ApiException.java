package dev.plumbline.http;

import java.util.Map;
import org.springframework.http.HttpStatus;

/** A refusal in OpenAI's terms; {@code param} and {@code code} may be null. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String INVALID_REQUEST = "invalid_request_error";

    private final HttpStatus status;
    private final String type;
    private final String param;
    private final String code;
    private final transient Map<String, String> headers;

    private ApiException(
            HttpStatus status, String type, String param, String code, String message, Map<String, String> headers) {
        super(message, null, false, false);
        this.status = status;
        this.type = type;
        this.param = param;
        this.code = code;
        this.headers = headers;
    }

    /** 400 for one parameter. */
    public static ApiException badRequest(String param, String code, String message) {
        return invalid(HttpStatus.BAD_REQUEST, param, code, message);
    }

    /** A client error of another status. */
    public static ApiException invalid(HttpStatus status, String param, String code, String message) {
        return new ApiException(status, INVALID_REQUEST, param, code, message, Map.of());
    }

    /** A client error that carries a header. */
    public static ApiException invalid(HttpStatus status, String code, String message, String header, String value) {
        return new ApiException(status, INVALID_REQUEST, null, code, message, Map.of(header, value));
    }

    /** 429 with the time to wait. */
    public static ApiException tooManyRequests(String message, int retryAfterSeconds) {
        return new ApiException(
                HttpStatus.TOO_MANY_REQUESTS,
                "rate_limit_error",
                null,
                "rate_limit_exceeded",
                message,
                Map.of("Retry-After", String.valueOf(retryAfterSeconds)));
    }

    /** 503 with the time to wait. */
    public static ApiException unavailable(String message, int retryAfterSeconds) {
        return new ApiException(
                HttpStatus.SERVICE_UNAVAILABLE,
                "server_error",
                null,
                "service_unavailable",
                message,
                Map.of("Retry-After", String.valueOf(retryAfterSeconds)));
    }

    /** 500. */
    static ApiException internal() {
        return new ApiException(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "server_error",
                null,
                "internal_error",
                "The server failed to process the request.",
                Map.of());
    }

    HttpStatus status() {
        return status;
    }

    String type() {
        return type;
    }

    String param() {
        return param;
    }

    String code() {
        return code;
    }

    Map<String, String> headers() {
        return headers;
    }
}
