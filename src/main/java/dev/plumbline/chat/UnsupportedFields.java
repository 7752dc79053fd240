package dev.plumbline.chat;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Fields of OpenAI's schema that this server ignores by promise (docs/api.md lists them) or cannot honour. */
final class UnsupportedFields {
    private static final List<String> IGNORED_STRINGS =
            List.of("user", "safety_identifier", "prompt_cache_key", "prompt_cache_retention", "service_tier");
    private static final List<String> REFUSED = List.of(
            "tools",
            "functions",
            "tool_choice",
            "function_call",
            "audio",
            "prediction",
            "web_search_options",
            "verbosity");
    private static final int METADATA_PAIRS = 16;
    private static final int METADATA_KEY = 64;
    private static final int METADATA_VALUE = 512;

    private UnsupportedFields() {}

    static void check(JsonFields fields) {
        IGNORED_STRINGS.forEach(fields::string);
        fields.bool("parallel_tool_calls", true);
        metadata(fields);
        onlyFalse(fields, "store");
        modalities(fields);
        responseFormat(fields);
        for (String field : REFUSED) {
            JsonNode value = fields.node(field);
            if (value != null && !(value.isArray() && value.isEmpty())) {
                throw ApiException.badRequest(
                        field, "unsupported_parameter", "Unsupported parameter: '" + field + "' cannot be honoured.");
            }
        }
    }

    private static void metadata(JsonFields fields) {
        JsonFields metadata = fields.object("metadata");
        if (metadata == null) {
            return;
        }
        if (metadata.names().size() > METADATA_PAIRS) {
            throw ApiException.badRequest(
                    "metadata",
                    "object_above_max_properties",
                    "Invalid value for 'metadata': " + metadata.names().size() + " pairs; allowed: at most "
                            + METADATA_PAIRS + ".");
        }
        for (String name : metadata.names()) {
            pair(metadata, name);
        }
    }

    private static void pair(JsonFields metadata, String name) {
        String path = metadata.path(Refusal.shorten(name));
        JsonNode value = metadata.required(name);
        if (characters(name) > METADATA_KEY) {
            throw ApiException.badRequest(
                    path,
                    "invalid_value",
                    "Invalid key in 'metadata': " + characters(name) + " characters; allowed: at most " + METADATA_KEY
                            + ".");
        }
        if (characters(JsonFields.text(value, path)) > METADATA_VALUE) {
            throw Refusal.value(path, value, "at most " + METADATA_VALUE + " characters");
        }
    }

    private static int characters(String text) {
        return text.codePointCount(0, text.length());
    }

    private static void onlyFalse(JsonFields fields, String field) {
        if (fields.bool(field, false)) {
            throw Refusal.unsupported(field, fields.node(field), "false");
        }
    }

    private static void modalities(JsonFields fields) {
        JsonNode value = fields.node("modalities");
        if (value != null && !value.isArray()) {
            throw Refusal.type("modalities", value, "an array of strings");
        }
        if (value != null && !(value.size() == 1 && "text".equals(value.get(0).asString("")))) {
            throw Refusal.unsupported("modalities", value, "[\"text\"]");
        }
    }

    private static void responseFormat(JsonFields fields) {
        JsonFields format = fields.object("response_format");
        if (format != null) {
            JsonNode type = format.required("type");
            if (!JsonFields.text(type, "response_format.type").equals("text")) {
                throw Refusal.unsupported("response_format.type", type, "text");
            }
            format.rejectUnread();
        }
    }
}
