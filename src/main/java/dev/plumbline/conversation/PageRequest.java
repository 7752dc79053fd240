package dev.plumbline.conversation;

/**
 * Which part of a list.
 *
 * @param limit most items
 * @param after id of the item before the first, which may have been deleted, or null to begin at the start
 * @param ascending oldest first
 */
public record PageRequest(int limit, String after, boolean ascending) {}
