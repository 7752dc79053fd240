package dev.plumbline.usage;

/**
 * Whose usage it is.
 *
 * @param owner id of a user
 * @param key what of the user's: the id of a key, or another name
 */
public record Account(String owner, String key) {}
