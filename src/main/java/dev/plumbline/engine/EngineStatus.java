package dev.plumbline.engine;

import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PrecisionProfile;
import java.util.List;

/**
 * A snapshot of a loaded engine.
 *
 * @param config architecture of the model
 * @param active the lane that new generations get unless they name another one
 * @param backend name of the backend
 * @param description what the backend runs on
 * @param variants ids of the kernel variants that have served the active lane so far, sorted
 * @param maxContext most tokens of a sequence
 * @param maxSequences most sequences of a step, over all lanes
 * @param running sequences being prefilled or decoded, over all lanes
 * @param waiting generations in the queue, over all lanes
 * @param pools one line per pool, the sums over all lanes
 * @param lanes the open lanes, the active one first
 * @param opening lanes that are being opened, the one that is built first
 * @param memory what the lanes hold together
 */
public record EngineStatus(
        ModelConfig config,
        LaneKey active,
        String backend,
        String description,
        List<String> variants,
        int maxContext,
        int maxSequences,
        int running,
        int waiting,
        List<PoolStatus> pools,
        List<LaneStatus> lanes,
        List<LaneProgress> opening,
        Memory memory) {

    /** Flags of the active lane. */
    public PrecisionProfile profile() {
        return active.profile();
    }

    /** Bytes of one cache pool; allocated = used + free, always. */
    public record PoolStatus(String name, long allocatedBytes, long usedBytes, long freeBytes) {

        /** The sum of two pools of that name. */
        PoolStatus plus(PoolStatus other) {
            return new PoolStatus(
                    name,
                    allocatedBytes + other.allocatedBytes,
                    usedBytes + other.usedBytes,
                    freeBytes + other.freeBytes);
        }
    }

    /**
     * What the lanes hold together.
     *
     * @param budgetBytes most bytes of all lanes
     * @param heldBytes bytes of weights, pools and working memory
     * @param weightBytes bytes of weights, every form once
     * @param tensorReads stored tensors read since the model was loaded, that first time included
     */
    public record Memory(long budgetBytes, long heldBytes, long weightBytes, long tensorReads) {}
}
