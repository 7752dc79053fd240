package dev.plumbline.engine;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import java.util.List;
import java.util.Map;

/**
 * A snapshot of one open lane.
 *
 * @param key which lane
 * @param state what it is there for
 * @param flags every flag by name, where it shows in the lane's memory read back from there
 * @param variants ids of the kernel variants that have served this lane so far, sorted
 * @param maxSequences most sequences that its pools hold
 * @param running sequences being prefilled or decoded
 * @param waiting generations in the queue
 * @param bytes memory it holds
 * @param pools one line per pool
 */
public record LaneStatus(
        LaneKey key,
        State state,
        Map<String, String> flags,
        List<String> variants,
        int maxSequences,
        int running,
        int waiting,
        LaneBytes bytes,
        List<PoolStatus> pools) {

    /** What a lane is there for. */
    public enum State {
        /** New generations get it unless they name another one. */
        ACTIVE,
        /** It has generations, or is held for some. */
        SERVING,
        /** Nobody needs it; it is closed when its memory is wanted, or after a while. */
        IDLE
    }
}
