package dev.plumbline.model;

import java.util.Objects;

/**
 * One message of a conversation.
 *
 * @param role who speaks
 * @param content the text, not null
 * @param reasoning what an assistant thought before answering; null or empty for none
 */
public record ChatMessage(Role role, String content, String reasoning) {

    /** Who speaks. */
    public enum Role {
        SYSTEM,
        DEVELOPER,
        USER,
        ASSISTANT
    }

    /** Requires role and content. */
    public ChatMessage {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(content, "content");
    }

    /** A message without reasoning. */
    public ChatMessage(Role role, String content) {
        this(role, content, null);
    }
}
