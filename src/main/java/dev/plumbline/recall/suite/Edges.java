package dev.plumbline.recall.suite;

/**
 * Lengths at which a model changes what it attends to, in tokens.
 *
 * @param window the sliding window
 * @param budget tokens that a full selection covers: entries of the checkpoint's budget × tokens of an entry; 0 if the
 *     model selects nothing
 */
public record Edges(int window, int budget) {}
