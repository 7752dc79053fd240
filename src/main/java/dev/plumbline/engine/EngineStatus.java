package dev.plumbline.engine;

import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PrecisionProfile;
import java.util.List;

/**
 * A snapshot of a loaded engine.
 *
 * @param config architecture of the model
 * @param profile flags of the lane
 * @param backend name of the backend
 * @param description what the backend runs on
 * @param variants ids of the kernel variants that have served so far, sorted
 * @param maxContext most tokens of a sequence
 * @param maxSequences most sequences of a step
 * @param running sequences being prefilled or decoded
 * @param waiting generations in the queue
 * @param pools one line per pool
 */
public record EngineStatus(
        ModelConfig config,
        PrecisionProfile profile,
        String backend,
        String description,
        List<String> variants,
        int maxContext,
        int maxSequences,
        int running,
        int waiting,
        List<PoolStatus> pools) {

    /** Bytes of one cache pool; allocated = used + free, always. */
    public record PoolStatus(String name, long allocatedBytes, long usedBytes, long freeBytes) {}
}
