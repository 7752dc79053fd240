package dev.plumbline.http;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Counts what clients are told, by {@code code}, inside streams too. */
@Component
public final class ErrorMetrics {
    private final MeterRegistry registry;

    ErrorMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Counts an error and gives it back. */
    public ApiException counted(ApiException error) {
        String code = error.code() == null ? "none" : error.code();
        registry.counter("plumbline.errors", "code", code).increment();
        return error;
    }
}
