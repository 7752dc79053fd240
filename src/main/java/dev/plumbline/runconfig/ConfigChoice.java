package dev.plumbline.runconfig;

import dev.plumbline.engine.LaneKey;

/**
 * The run config of a request.
 *
 * @param sampling what the request gets that leaves it out
 * @param lane what answers it
 */
public record ConfigChoice(SamplingDefaults sampling, LaneKey lane) {

    /** Its name for people: {@code name@version}, with the flags that this server's start has pinned otherwise. */
    public String label() {
        return lane.label();
    }
}
