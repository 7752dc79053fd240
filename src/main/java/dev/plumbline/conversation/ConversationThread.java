package dev.plumbline.conversation;

import dev.plumbline.model.ChatMessage;
import java.util.List;
import java.util.UUID;

/**
 * A conversation as the next request finds it.
 *
 * @param id the conversation
 * @param last number of its last answer; a request that finds another one came second
 * @param messages all its turns
 */
public record ConversationThread(UUID id, long last, List<ChatMessage> messages) {}
