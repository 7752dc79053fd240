package dev.plumbline.conversation;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.target.ChatEvent.Usage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Rows as objects and back. */
final class Rows {
    private static final JsonMapper JSON = JsonMapper.shared();

    private Rows() {}

    static StoredAnswer answer(ResultSet row, int number) throws SQLException {
        Status status = Status.of(row.getString("status"));
        return new StoredAnswer(
                row.getLong("seq"),
                row.getString("id"),
                row.getObject("conversation_id", UUID.class),
                StoredText.decode(row.getString("model")),
                row.getString("fingerprint"),
                row.getString("run_config"),
                metadata(row.getString("metadata")),
                status,
                StoredText.decode(row.getString("content")),
                StoredText.decode(row.getString("reasoning")),
                row.getString("finish_reason"),
                status == Status.COMPLETE ? usage(row) : null,
                instant(row, "created_at"));
    }

    private static Usage usage(ResultSet row) throws SQLException {
        return new Usage(row.getInt("prompt_tokens"), row.getInt("completion_tokens"), row.getInt("reasoning_tokens"));
    }

    static StoredMessage message(ResultSet row, int number) throws SQLException {
        String reasoning = StoredText.decode(row.getString("reasoning"));
        ChatMessage message = new ChatMessage(
                ChatMessage.Role.valueOf(row.getString("role").toUpperCase(Locale.ROOT)),
                StoredText.decode(row.getString("content")),
                reasoning.isEmpty() ? null : reasoning);
        return new StoredMessage(
                row.getLong("completion_seq"), row.getInt("position"), message, row.getString("run_config"));
    }

    static StoredConversation conversation(ResultSet row, int number) throws SQLException {
        return new StoredConversation(
                row.getObject("id", UUID.class),
                StoredText.decode(row.getString("title")),
                metadata(row.getString("metadata")),
                instant(row, "created_at"),
                instant(row, "updated_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp time = row.getTimestamp(column);
        return time.toInstant();
    }

    private static Map<String, String> metadata(String json) {
        return StoredText.decode(JSON.readValue(json, new TypeReference<LinkedHashMap<String, String>>() {}));
    }

    /** Metadata as jsonb takes it. */
    static String json(Map<String, String> metadata) {
        return JSON.writeValueAsString(StoredText.encode(metadata));
    }

    /** Messages as a JSON array. */
    static String json(Iterable<ChatMessage> messages) {
        var array = JSON.createArrayNode();
        for (ChatMessage message : messages) {
            String reasoning = message.reasoning() == null ? "" : message.reasoning();
            array.addObject()
                    .put("role", message.role().name().toLowerCase(Locale.ROOT))
                    .put("content", StoredText.encode(message.content()))
                    .put("reasoning", StoredText.encode(reasoning));
        }
        return array.toString();
    }
}
