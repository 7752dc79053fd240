package dev.plumbline.conversation;

import dev.plumbline.model.ChatMessage;

/**
 * A message that a request brought.
 *
 * @param answer number of the answer it asked for
 * @param position its place in the request
 * @param message what it says
 * @param runConfig the run config that answered it; null if there were none yet
 */
public record StoredMessage(long answer, int position, ChatMessage message, String runConfig) {}
