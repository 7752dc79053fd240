package dev.plumbline.engine;

/**
 * How much an engine takes on.
 *
 * @param maxContext most tokens of a sequence, prompt and answer together; at least 2
 * @param maxSequences most sequences of a step
 * @param maxWaiting most generations that wait for a place
 */
public record EngineLimits(int maxContext, int maxSequences, int maxWaiting) {

    /** Checks that a sequence can hold a prompt and an answer, and that there is room for one. */
    public EngineLimits {
        require("max_context", maxContext, 2);
        require("max_sequences", maxSequences, 1);
        require("max_waiting", maxWaiting, 1);
    }

    private static void require(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: at least " + least);
        }
    }
}
