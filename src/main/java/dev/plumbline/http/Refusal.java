package dev.plumbline.http;

import org.springframework.http.HttpStatus;
import tools.jackson.databind.JsonNode;

/** Words of a refusal: which field, which value, what would be allowed. */
public final class Refusal {
    private static final int SHOWN = 60;

    private Refusal() {}

    /** The value has the wrong JSON type. */
    public static ApiException type(String path, JsonNode value, String allowed) {
        return ApiException.badRequest(
                path,
                "invalid_type",
                "Invalid type for '" + path + "': expected " + allowed + ", but got " + kind(value) + " instead.");
    }

    /** The value has the right type and is not allowed. */
    public static ApiException value(String path, JsonNode value, String allowed) {
        return ApiException.badRequest(
                path,
                "invalid_value",
                "Invalid value for '" + path + "': " + shorten(value.toString()) + "; allowed: " + allowed + ".");
    }

    /** The value is OpenAI's but this server cannot honour it. */
    public static ApiException unsupported(String path, JsonNode value, String allowed) {
        return ApiException.badRequest(
                path,
                "unsupported_value",
                "Unsupported value for '" + path + "': " + shorten(value.toString())
                        + " cannot be honoured by this server; allowed: " + allowed + ".");
    }

    /** 404 for what does not exist, or not for this owner. */
    public static ApiException notFound(String param, String id) {
        return ApiException.invalid(
                HttpStatus.NOT_FOUND, param, "not_found", "No " + param + " '" + shorten(id) + "' exists.");
    }

    /** The beginning of what a client sent, for words that repeat it. */
    public static String shorten(String text) {
        if (text.length() <= SHOWN) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(SHOWN - 1)) ? SHOWN - 1 : SHOWN;
        return text.substring(0, end) + "…";
    }

    private static String kind(JsonNode value) {
        if (value.isObject()) {
            return "an object";
        }
        if (value.isArray()) {
            return "an array";
        }
        if (value.isString()) {
            return "the string " + shorten(value.toString());
        }
        return shorten(value.toString());
    }
}
