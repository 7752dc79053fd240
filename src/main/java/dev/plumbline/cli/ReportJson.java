package dev.plumbline.cli;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Measurements as JSON, their parts named in snake case. */
final class ReportJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private ReportJson() {}

    static String of(Object report) {
        return MAPPER.writeValueAsString(report) + "\n";
    }
}
