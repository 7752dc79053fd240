package dev.plumbline.engine;

import dev.plumbline.precision.PrecisionProfile;

/**
 * What makes one lane another: two lanes never share caches, whatever their profiles have in common.
 *
 * @param label the run config, as {@code name@version}, or {@link #STARTUP}
 * @param profile its flags
 */
public record LaneKey(String label, PrecisionProfile profile) {

    /** Label of the profile that the engine was started with. */
    public static final String STARTUP = "startup";

    /** The lane of the profile that the engine was started with. */
    public static LaneKey startup(PrecisionProfile profile) {
        return new LaneKey(STARTUP, profile);
    }

    @Override
    public String toString() {
        return label;
    }
}
