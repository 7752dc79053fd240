package dev.plumbline.chat;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Counts what clients are told, by {@code code}, inside streams too. */
@Component
final class ErrorMetrics {
    private final MeterRegistry registry;

    ErrorMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    ApiException counted(ApiException error) {
        String code = error.code() == null ? "none" : error.code();
        registry.counter("plumbline.errors", "code", code).increment();
        return error;
    }
}
