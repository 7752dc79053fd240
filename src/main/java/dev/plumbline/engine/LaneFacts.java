package dev.plumbline.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What opening a lane found.
 *
 * @param key which lane
 * @param took from the wish for the lane to its first answer, steps of others in between included
 * @param flags every flag by name, where it shows in the lane's memory read back from there
 * @param variants ids of the kernels that the smoke test ran on this device, sorted
 * @param code SHA-256 of each compiled object that this backend's kernels come from, by name
 * @param bytes memory it took
 * @param maxSequences most sequences that its pools hold
 * @param tensorReads stored tensors that were read for it; 0 if every form was there
 */
public record LaneFacts(
        LaneKey key,
        Duration took,
        Map<String, String> flags,
        List<String> variants,
        Map<String, String> code,
        LaneBytes bytes,
        int maxSequences,
        long tensorReads) {}
