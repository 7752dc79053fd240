package dev.plumbline.http;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * Reads the fields of one JSON object. A null counts as absent, as in OpenAI's schema; a wrong value is refused with
 * field, value and what is allowed; {@link #rejectUnread} refuses what nobody asked for.
 */
public final class JsonFields {
    private final JsonNode object;
    private final String prefix;
    private final Set<String> read = new HashSet<>();
    private final Set<String> refused = new HashSet<>();

    /** The fields of an object that lies at {@code path}, which is empty for the whole body. */
    public JsonFields(JsonNode object, String path) {
        this.object = object;
        this.prefix = path.isEmpty() ? "" : path + ".";
    }

    /** Full name of a field, as errors give it. */
    public String path(String field) {
        return prefix + field;
    }

    /** The field's value, or null. */
    public JsonNode node(String field) {
        read.add(field);
        JsonNode value = object.get(field);
        return value == null || value.isNull() ? null : value;
    }

    /** The value of a field that is known and cannot be honoured, or null: not told among those that are allowed. */
    public JsonNode refused(String field) {
        refused.add(field);
        return node(field);
    }

    /** The field's value; a refusal if there is none. */
    public JsonNode required(String field) {
        JsonNode value = node(field);
        if (value == null) {
            throw ApiException.badRequest(
                    path(field), "missing_required_parameter", "Missing required parameter: '" + path(field) + "'.");
        }
        return value;
    }

    /** A string, or null. */
    public String string(String field) {
        JsonNode value = node(field);
        return value == null ? null : text(value, path(field));
    }

    /** A boolean; {@code absent} if there is none. */
    public boolean bool(String field, boolean absent) {
        JsonNode value = node(field);
        if (value == null) {
            return absent;
        }
        if (!value.isBoolean()) {
            throw Refusal.type(path(field), value, "true or false");
        }
        return value.booleanValue();
    }

    /** An integer from {@code min} to {@code max}, or null. */
    public Long integer(String field, long min, long max) {
        JsonNode value = node(field);
        if (value == null) {
            return null;
        }
        String allowed = max == Long.MAX_VALUE
                ? (min == Long.MIN_VALUE ? "a 64-bit integer" : "an integer of at least " + min)
                : "an integer from " + min + " to " + max;
        // 1.0 is an integer in JSON Schema, 1.5 is not.
        if (!value.isNumber() || !value.isIntegralNumber() && value.doubleValue() != Math.rint(value.doubleValue())) {
            throw Refusal.type(path(field), value, allowed);
        }
        if (!value.canConvertToLong() || value.longValue() < min || value.longValue() > max) {
            throw Refusal.value(path(field), value, allowed);
        }
        return value.longValue();
    }

    /** A number from {@code min} to {@code max}; {@code absent} if there is none. */
    public double number(String field, double min, double max, double absent) {
        JsonNode value = node(field);
        return value == null ? absent : number(value, path(field), min, max);
    }

    /** An object's fields, or null. */
    public JsonFields object(String field) {
        JsonNode value = node(field);
        if (value == null) {
            return null;
        }
        if (!value.isObject()) {
            throw Refusal.type(path(field), value, "an object");
        }
        return new JsonFields(value, path(field));
    }

    /** Names of all fields. */
    public List<String> names() {
        return new ArrayList<>(object.propertyNames());
    }

    /** Refuses the first field that was not asked for. */
    public void rejectUnread() {
        for (String name : object.propertyNames()) {
            if (!read.contains(name)) {
                String full = path(Refusal.shorten(name));
                throw ApiException.badRequest(
                        full, "unknown_parameter", "Unknown parameter: '" + full + "'; allowed: " + allowed() + ".");
            }
        }
    }

    private String allowed() {
        Set<String> allowed = new TreeSet<>(read);
        allowed.removeAll(refused);
        return String.join(", ", allowed);
    }

    /** A value as a number from {@code min} to {@code max}; {@code path} is its name in a refusal. */
    public static double number(JsonNode value, String path, double min, double max) {
        String allowed = "a number from " + plain(min) + " to " + plain(max);
        if (!value.isNumber()) {
            throw Refusal.type(path, value, allowed);
        }
        double number = value.doubleValue();
        if (!(number >= min && number <= max)) {
            throw Refusal.value(path, value, allowed);
        }
        return number;
    }

    /** A value as a text of valid Unicode; {@code path} is its name in a refusal. */
    public static String text(JsonNode value, String path) {
        if (!value.isString()) {
            throw Refusal.type(path, value, "a string");
        }
        return requireUnicode(value.stringValue(), path, "Invalid value for '" + path + "'");
    }

    /** Refuses what no UTF-8 can carry; {@code words} begin the refusal. */
    public static String requireUnicode(String text, String path, String words) {
        int lone = loneSurrogate(text);
        if (lone >= 0) {
            throw ApiException.badRequest(
                    path,
                    "invalid_value",
                    words + ": half of a surrogate pair at character " + lone + "; allowed: valid Unicode text.");
        }
        return text;
    }

    private static int loneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean paired = Character.isHighSurrogate(text.charAt(i))
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!paired) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    private static String plain(double bound) {
        return bound == Math.rint(bound) ? String.valueOf((long) bound) : String.valueOf(bound);
    }
}
