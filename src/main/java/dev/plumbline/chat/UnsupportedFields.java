package dev.plumbline.chat;

import dev.plumbline.http.ApiException;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.Refusal;
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

    private UnsupportedFields() {}

    static void check(JsonFields fields) {
        IGNORED_STRINGS.forEach(fields::string);
        fields.bool("parallel_tool_calls", true);
        modalities(fields);
        responseFormat(fields);
        for (String field : REFUSED) {
            JsonNode value = fields.refused(field);
            if (value != null && !(value.isArray() && value.isEmpty())) {
                throw ApiException.badRequest(
                        field, "unsupported_parameter", "Unsupported parameter: '" + field + "' cannot be honoured.");
            }
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
