package dev.plumbline.recall;

/**
 * What an answer is worth.
 *
 * @param passed whether the answer is right
 * @param distance edits from the expected values to the nearest stretch of the answer, summed over the values; 0 when all
 *     are there. Tells a slip of one character from a fact not found at all
 * @param reason why it failed; empty when it passed
 */
public record Score(boolean passed, int distance, String reason) {}
