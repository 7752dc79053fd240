package dev.plumbline.chat;

import dev.plumbline.http.ApiException;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.Refusal;
import dev.plumbline.model.ChatMessage;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Messages of text; a list of text parts becomes one text, joined by a blank line as the chat encoding joins blocks. */
final class MessageParser {
    /** OpenAI's own limit. */
    private static final int MAX_MESSAGES = 2048;

    private static final String ROLES = "system, developer, user, assistant";

    private MessageParser() {}

    static List<ChatMessage> parse(JsonNode messages) {
        if (!messages.isArray()) {
            throw Refusal.type("messages", messages, "an array of messages");
        }
        if (messages.isEmpty()) {
            throw ApiException.badRequest(
                    "messages", "empty_array", "Invalid value for 'messages': []; allowed: at least one message.");
        }
        if (messages.size() > MAX_MESSAGES) {
            throw ApiException.badRequest(
                    "messages",
                    "array_above_max_length",
                    "Invalid value for 'messages': an array of " + messages.size() + "; allowed: at most "
                            + MAX_MESSAGES + " messages.");
        }
        List<ChatMessage> parsed = new ArrayList<>();
        for (JsonNode message : messages) {
            parsed.add(message(message, "messages[" + parsed.size() + "]"));
        }
        return parsed;
    }

    private static ChatMessage message(JsonNode node, String path) {
        if (!node.isObject()) {
            throw Refusal.type(path, node, "an object");
        }
        JsonFields fields = new JsonFields(node, path);
        JsonNode role = fields.required("role");
        fields.string("name");
        ChatMessage message =
                switch (JsonFields.text(role, fields.path("role"))) {
                    case "system" -> new ChatMessage(ChatMessage.Role.SYSTEM, content(fields), null);
                    case "developer" -> new ChatMessage(ChatMessage.Role.DEVELOPER, content(fields), null);
                    case "user" -> new ChatMessage(ChatMessage.Role.USER, content(fields), null);
                    case "assistant" -> assistant(fields);
                    case "tool", "function" -> throw Refusal.unsupported(fields.path("role"), role, ROLES);
                    default -> throw Refusal.value(fields.path("role"), role, ROLES);
                };
        fields.rejectUnread();
        return message;
    }

    private static ChatMessage assistant(JsonFields fields) {
        String reasoning = fields.string("reasoning_content");
        // Clients send back what they received; of these only empty values mean nothing.
        for (String field : List.of("tool_calls", "annotations", "function_call", "audio", "refusal")) {
            JsonNode value = fields.node(field);
            if (value != null && !(value.isArray() && value.isEmpty())) {
                throw Refusal.unsupported(fields.path(field), value, "null");
            }
        }
        return new ChatMessage(ChatMessage.Role.ASSISTANT, content(fields), reasoning);
    }

    private static String content(JsonFields fields) {
        JsonNode content = fields.required("content");
        String path = fields.path("content");
        if (content.isString()) {
            return JsonFields.text(content, path);
        }
        if (!content.isArray()) {
            throw Refusal.type(path, content, "a string or an array of text parts");
        }
        List<String> parts = new ArrayList<>();
        for (JsonNode part : content) {
            parts.add(part(part, path + "[" + parts.size() + "]"));
        }
        if (parts.isEmpty()) {
            throw Refusal.value(path, content, "a string or at least one text part");
        }
        return String.join("\n\n", parts);
    }

    private static String part(JsonNode node, String path) {
        if (!node.isObject()) {
            throw Refusal.type(path, node, "an object");
        }
        JsonFields fields = new JsonFields(node, path);
        JsonNode type = fields.required("type");
        if (!JsonFields.text(type, fields.path("type")).equals("text")) {
            throw Refusal.unsupported(fields.path("type"), type, "text");
        }
        String text = JsonFields.text(fields.required("text"), fields.path("text"));
        fields.rejectUnread();
        return text;
    }
}
