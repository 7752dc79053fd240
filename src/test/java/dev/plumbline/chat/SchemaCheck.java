package dev.plumbline.chat;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Holds JSON to the part of JSON Schema that the API's description uses. */
public record SchemaCheck(JsonNode document) {

    /** What is wrong with a value by a named schema; empty if nothing. */
    public List<String> problems(String schema, JsonNode value) {
        List<String> problems = new ArrayList<>();
        check("$", schema(schema), value, problems);
        return problems;
    }

    public JsonNode schema(String name) {
        return document.path("components").path("schemas").path(name);
    }

    private void check(String path, JsonNode written, JsonNode value, List<String> problems) {
        JsonNode schema = written;
        if (written.has("$ref")) {
            schema = document.at(written.path("$ref").asString().substring(1));
        }
        if (schema.isMissingNode()) {
            problems.add(path + ": no schema");
            return;
        }
        if (schema.has("oneOf")) {
            oneOf(path, schema.path("oneOf"), value, problems);
            return;
        }
        if (!typed(schema.path("type"), value)) {
            problems.add(path + ": " + value + " is not " + schema.path("type"));
            return;
        }
        if (schema.has("enum") && schema.path("enum").valueStream().noneMatch(allowed -> allowed.equals(value))) {
            problems.add(path + ": " + value + " is none of " + schema.path("enum"));
        }
        if (value.isObject()) {
            object(path, schema, value, problems);
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            check(path + "[" + i + "]", schema.path("items"), value.get(i), problems);
        }
    }

    private void oneOf(String path, JsonNode options, JsonNode value, List<String> problems) {
        long fitting = options.valueStream()
                .filter(option -> {
                    List<String> own = new ArrayList<>();
                    check(path, option, value, own);
                    return own.isEmpty();
                })
                .count();
        if (fitting != 1) {
            problems.add(path + ": " + value + " fits " + fitting + " of " + options);
        }
    }

    private void object(String path, JsonNode schema, JsonNode value, List<String> problems) {
        for (JsonNode name : schema.path("required")) {
            if (!value.has(name.asString())) {
                problems.add(path + ": lacks " + name);
            }
        }
        for (String name : value.propertyNames()) {
            JsonNode own = schema.path("properties").path(name);
            if (!own.isMissingNode()) {
                check(path + "." + name, own, value.get(name), problems);
            } else if (schema.path("additionalProperties").isBoolean()) {
                problems.add(path + ": has " + name);
            }
        }
    }

    private static boolean typed(JsonNode type, JsonNode value) {
        if (type.isArray()) {
            return type.valueStream().anyMatch(one -> typed(one, value));
        }
        return switch (type.asString("")) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "null" -> value.isNull();
            default -> false;
        };
    }
}
