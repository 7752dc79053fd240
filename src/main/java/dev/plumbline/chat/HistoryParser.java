package dev.plumbline.chat;

import dev.plumbline.http.ApiException;
import dev.plumbline.http.Ids;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** The fields that concern the history. */
final class HistoryParser {
    static final int TITLE_LENGTH = 200;

    private static final int PAIRS = 16;
    private static final int KEY_LENGTH = 64;
    private static final int VALUE_LENGTH = 512;

    private HistoryParser() {}

    /** Of a chat completion request for {@code choices} answers. */
    static HistoryOptions parse(JsonFields fields, int choices) {
        Map<String, String> metadata = metadata(fields);
        HistoryOptions options = new HistoryOptions(
                fields.bool("store", false), metadata == null ? Map.of() : metadata, conversation(fields));
        if (options.records() && choices > 1) {
            throw Refusal.unsupported("n", fields.node("n"), "1 with 'store' or 'conversation'");
        }
        return options;
    }

    private static UUID conversation(JsonFields fields) {
        JsonNode value = fields.node("conversation");
        if (value == null) {
            return null;
        }
        return Ids.parse(JsonFields.text(value, "conversation"))
                .orElseThrow(() -> Refusal.value("conversation", value, "the id of a conversation"));
    }

    /** A title, or null. */
    static String title(JsonFields fields) {
        JsonNode value = fields.node("title");
        if (value == null) {
            return null;
        }
        String title = JsonFields.text(value, "title");
        if (characters(title) > TITLE_LENGTH) {
            throw Refusal.value("title", value, "at most " + TITLE_LENGTH + " characters");
        }
        return title;
    }

    /** Metadata, or null. */
    static Map<String, String> metadata(JsonFields fields) {
        JsonFields metadata = fields.object("metadata");
        if (metadata == null) {
            return null;
        }
        if (metadata.names().size() > PAIRS) {
            throw ApiException.badRequest(
                    "metadata",
                    "object_above_max_properties",
                    "Invalid value for 'metadata': " + metadata.names().size() + " pairs; allowed: at most " + PAIRS
                            + ".");
        }
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String name : metadata.names()) {
            pair(metadata, name, pairs);
        }
        return pairs;
    }

    private static void pair(JsonFields metadata, String name, Map<String, String> pairs) {
        JsonFields.requireUnicode(name, "metadata", "Invalid key in 'metadata'");
        String path = metadata.path(Refusal.shorten(name));
        JsonNode value = metadata.required(name);
        String text = JsonFields.text(value, path);
        if (characters(name) > KEY_LENGTH) {
            throw ApiException.badRequest(
                    path,
                    "invalid_value",
                    "Invalid key in 'metadata': " + characters(name) + " characters; allowed: at most " + KEY_LENGTH
                            + ".");
        }
        if (characters(text) > VALUE_LENGTH) {
            throw Refusal.value(path, value, "at most " + VALUE_LENGTH + " characters");
        }
        pairs.put(name, text);
    }

    private static int characters(String text) {
        return text.codePointCount(0, text.length());
    }
}
