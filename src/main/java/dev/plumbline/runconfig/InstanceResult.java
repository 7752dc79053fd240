package dev.plumbline.runconfig;

import java.time.Instant;

/**
 * What one server made of an activation.
 *
 * @param instance which server
 * @param status what became of it there
 * @param failure why it failed there, or null
 * @param proof what it proved, as JSON; null unless it serves
 * @param millis from the moment it began to the moment its requests ran under it
 * @param recorded when
 */
public record InstanceResult(
        String instance, Outcome status, String failure, String proof, long millis, Instant recorded) {

    /** What became of an activation on a server. */
    public enum Outcome {
        /** Its requests run under it. */
        SERVING,
        /** It serves what it was started with. */
        PINNED,
        /** It cannot, and refuses requests that name no run config. */
        FAILED
    }
}
