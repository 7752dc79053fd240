package dev.plumbline.conversation;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * A conversation without its turns.
 *
 * @param id its id
 * @param title empty until it has one; the first user message gives it
 * @param metadata the client's own pairs
 * @param created when it was made
 * @param updated when a request last continued or changed it
 */
public record StoredConversation(
        UUID id, String title, Map<String, String> metadata, Instant created, Instant updated) {}
