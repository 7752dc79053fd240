package dev.plumbline.runconfig;

import java.time.Instant;
import java.util.UUID;

/**
 * An attempt to make another version the active one.
 *
 * @param id what the API calls it
 * @param kind how it came about
 * @param from what was active before, {@code name@version}
 * @param to what was to become active
 * @param reason why, in the words of whoever asked
 * @param author name of the user who asked
 * @param instance the server that was asked
 * @param status how far it came
 * @param failure why it failed, or null
 * @param started when it was asked for
 * @param ended when it was over, or null
 */
public record Activation(
        UUID id,
        Kind kind,
        RunConfigRef from,
        RunConfigRef to,
        String reason,
        String author,
        String instance,
        Status status,
        String failure,
        Instant started,
        Instant ended) {

    /** How it came about. */
    public enum Kind {
        ACTIVATE,
        ROLLBACK
    }

    /** How far it came. */
    public enum Status {
        IN_PROGRESS,
        /** It was in force from its end on. */
        COMPLETE,
        /** Nothing has changed. */
        FAILED
    }
}
