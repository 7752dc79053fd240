package dev.plumbline.runconfig;

import java.time.Instant;

/**
 * A version of a run config; it never changes.
 *
 * @param name its name
 * @param version 1 and up
 * @param profile the flags it sets; the rest comes from the model
 * @param sampling what requests get that leave it out
 * @param description what it is for; may be empty
 * @param author name of the user who made it
 * @param created when
 */
public record RunConfig(
        String name,
        int version,
        ConfigProfile profile,
        SamplingDefaults sampling,
        String description,
        String author,
        Instant created) {

    /** Its name and version. */
    public RunConfigRef ref() {
        return new RunConfigRef(name, version);
    }

    /** {@code name@version}. */
    public String id() {
        return ref().toString();
    }
}
