package dev.plumbline.recall.compare;

import dev.plumbline.runconfig.RunConfigRef;

/**
 * One side of a comparison: one of its two parts is null.
 *
 * @param runConfig the flags of the engine of the servers
 * @param target id or name of a stored target, whose flags are its own
 */
public record Side(RunConfigRef runConfig, String target) {

    /** A run config on the engine of the servers. */
    public static Side of(RunConfigRef runConfig) {
        return new Side(runConfig, null);
    }

    /** What sentences call it. */
    public String label() {
        return target == null ? runConfig.toString() : target;
    }
}
