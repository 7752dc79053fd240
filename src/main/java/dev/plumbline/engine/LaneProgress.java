package dev.plumbline.engine;

/**
 * A lane that is being opened.
 *
 * @param key which lane
 * @param percent how much of it is done, 0 to 99: by the number of slices, tensors and steps of the smoke test alike; 0
 *     while other lanes are opened before it
 */
public record LaneProgress(LaneKey key, int percent) {}
