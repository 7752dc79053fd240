package dev.plumbline.model;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Typed access to the fields of one JSON object. A missing or wrong field is noted and replaced by a harmless value, so
 * that one pass finds every problem.
 */
final class ConfigFields {
    private final JsonNode object;
    private final String prefix;
    private final List<String> problems;

    ConfigFields(JsonNode object, String prefix, List<String> problems) {
        this.object = object;
        this.prefix = prefix;
        this.problems = problems;
    }

    boolean has(String name) {
        return find(name) != null;
    }

    /** A required integer in [min, max]; the first spelling present counts. */
    int integer(String name, int min, int max, String... aliases) {
        return integerOf(name, required(name, aliases), min, max);
    }

    /** An optional integer. */
    int integerOr(int fallback, String name, int min, int max) {
        JsonNode node = find(name);
        return node == null ? fallback : integerOf(name, node, min, max);
    }

    /** A required number above zero. */
    double positive(String name) {
        return positiveOf(name, required(name));
    }

    /** An optional number above zero. */
    double positiveOr(double fallback, String name) {
        JsonNode node = find(name);
        return node == null ? fallback : positiveOf(name, node);
    }

    /** A list of integers, or null if the field is absent or not such a list (noted). */
    List<Integer> integers(String name) {
        JsonNode node = find(name);
        if (node == null) {
            return null;
        }
        List<Integer> values = new ArrayList<>();
        for (JsonNode element : node) {
            if (element.isIntegralNumber() && element.canConvertToInt()) {
                values.add(element.intValue());
            }
        }
        return complete(name, node, values, "a list of integers");
    }

    /** A list of strings, or null if the field is absent or not such a list (noted). */
    List<String> strings(String name) {
        JsonNode node = find(name);
        if (node == null) {
            return null;
        }
        List<String> values = new ArrayList<>();
        for (JsonNode element : node) {
            if (element.isString()) {
                values.add(element.stringValue());
            }
        }
        return complete(name, node, values, "a list of strings");
    }

    /** The text of a field, or null if the field is absent or no text (noted). */
    String text(String name) {
        JsonNode node = find(name);
        if (node == null) {
            return null;
        }
        if (!node.isString()) {
            invalid(name, node, "a string");
            return null;
        }
        return node.stringValue();
    }

    /** The fields of a nested object, or null if it is absent or no object (noted). */
    ConfigFields nested(String name) {
        JsonNode node = find(name);
        if (node == null) {
            return null;
        }
        if (!node.isObject()) {
            invalid(name, node, "an object");
            return null;
        }
        return new ConfigFields(node, prefix + name + ".", problems);
    }

    /** Notes a field that is present with another value than the only one implemented. */
    void only(String name, String allowed) {
        JsonNode node = find(name);
        if (node != null && !node.asString("").equals(allowed)) {
            invalid(name, node, allowed);
        }
    }

    void missing(String name, String allowed) {
        problems.add(prefix + name + " is missing; allowed: " + allowed);
    }

    void invalid(String name, Object value, String allowed) {
        problems.add(prefix + name + " is " + value + "; allowed: " + allowed);
    }

    private <T> List<T> complete(String name, JsonNode node, List<T> values, String allowed) {
        if (!node.isArray() || values.size() != node.size()) {
            invalid(name, node, allowed);
            return null;
        }
        return values;
    }

    private int integerOf(String name, JsonNode node, int min, int max) {
        String allowed = "an integer from " + min + " to " + max;
        if (node == null) {
            missing(name, allowed);
            return min;
        }
        if (!node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < min || node.intValue() > max) {
            invalid(name, node, allowed);
            return min;
        }
        return node.intValue();
    }

    private double positiveOf(String name, JsonNode node) {
        String allowed = "a number above 0";
        if (node == null) {
            missing(name, allowed);
            return 1;
        }
        if (!node.isNumber() || !(node.doubleValue() > 0) || !Float.isFinite((float) node.doubleValue())) {
            invalid(name, node, allowed);
            return 1;
        }
        return node.doubleValue();
    }

    private JsonNode required(String name, String... aliases) {
        JsonNode node = find(name);
        for (int i = 0; node == null && i < aliases.length; i++) {
            node = find(aliases[i]);
        }
        return node;
    }

    /** JSON null counts as absent: both spellings write it for "not set". */
    private JsonNode find(String name) {
        JsonNode node = object.get(name);
        return node == null || node.isNull() ? null : node;
    }
}
