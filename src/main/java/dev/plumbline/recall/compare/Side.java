package dev.plumbline.recall.compare;

import dev.plumbline.runconfig.RunConfigRef;

/**
 * One side of a comparison.
 *
 * @param runConfig the flags; null only with a target whose flags are its own
 * @param target id or name of a stored target; null is the engine of the servers
 */
public record Side(RunConfigRef runConfig, String target) {

    /** A run config on the engine of the servers. */
    public static Side of(RunConfigRef runConfig) {
        return new Side(runConfig, null);
    }

    /** What sentences call it. */
    public String label() {
        if (target == null) {
            return runConfig.toString();
        }
        return runConfig == null ? target : runConfig + " on " + target;
    }
}
