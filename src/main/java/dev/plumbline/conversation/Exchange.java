package dev.plumbline.conversation;

import java.util.List;

/**
 * A request's messages and its answer.
 *
 * @param messages in the order of the request
 * @param answer whatever became of it
 */
public record Exchange(List<StoredMessage> messages, StoredAnswer answer) {}
