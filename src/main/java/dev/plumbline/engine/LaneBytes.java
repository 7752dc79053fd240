package dev.plumbline.engine;

/**
 * Memory of a lane on its backend.
 *
 * @param weights weights in the forms that this lane brought; what it shares is charged to the lane that came first
 * @param pools window rings and pages of entries and index keys
 * @param working activations and buffers of a step
 */
public record LaneBytes(long weights, long pools, long working) {

    /** All of it. */
    public long total() {
        return weights + pools + working;
    }
}
