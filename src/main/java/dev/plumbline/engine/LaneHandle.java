package dev.plumbline.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * One lane as the engine knows it, from the wish for it until it is closed, with everybody who needs it. Used by the step
 * loop's thread only.
 */
final class LaneHandle {
    private final LaneKey key;
    private final long wished = System.nanoTime();
    private final List<BiConsumer<LaneFacts, RuntimeException>> listeners = new ArrayList<>();
    private CompletableFuture<LanePlan> preparation = CompletableFuture.completedFuture(null);
    private boolean full;
    private SubBatch batch;
    private LaneFacts facts;
    private RuntimeException failure;
    private int sequences;
    private int running;
    private int holds;
    private long idleSince = wished;

    /** A lane to be opened; {@code full} if nothing less than the engine's full number of sequences will do. */
    LaneHandle(LaneKey key, boolean full) {
        this.key = key;
        this.full = full;
    }

    LaneKey key() {
        return key;
    }

    boolean full() {
        return full;
    }

    /** From now on nothing less will do. */
    void requireFull() {
        full = true;
    }

    /** What must be over before it is built. */
    void preparedBy(CompletableFuture<LanePlan> future) {
        preparation = future;
    }

    /** Ends with its plan for the engine's full number of sequences, or null if none was made beforehand. */
    CompletableFuture<LanePlan> preparation() {
        return preparation;
    }

    /** Time of the wish for the lane, by {@link System#nanoTime}. */
    long wished() {
        return wished;
    }

    /** Calls back once the lane is open or has failed, at once if it is or has. */
    void onOpened(BiConsumer<LaneFacts, RuntimeException> listener) {
        if (facts != null || failure != null) {
            listener.accept(facts, failure);
        } else {
            listeners.add(listener);
        }
    }

    void opened(SubBatch built, LaneFacts found) {
        batch = built;
        facts = found;
        idleSince = System.nanoTime();
        tell();
    }

    void failed(RuntimeException reason) {
        failure = reason;
        tell();
    }

    private void tell() {
        List<BiConsumer<LaneFacts, RuntimeException>> all = List.copyOf(listeners);
        listeners.clear();
        all.forEach(listener -> listener.accept(facts, failure));
    }

    boolean open() {
        return batch != null;
    }

    /** Why it could not be opened, or null. */
    RuntimeException failure() {
        return failure;
    }

    SubBatch batch() {
        return batch;
    }

    CachePools pools() {
        return batch.lane().pools;
    }

    /** What opening found, or null. */
    LaneFacts facts() {
        return facts;
    }

    void enter() {
        sequences++;
    }

    void admitted() {
        running++;
    }

    void ended() {
        running--;
    }

    void leave() {
        sequences--;
        idleSince = System.nanoTime();
    }

    void hold() {
        holds++;
    }

    void letGo() {
        holds--;
        idleSince = System.nanoTime();
    }

    int running() {
        return running;
    }

    int waiting() {
        return sequences - running;
    }

    /** Whether nobody needs it. */
    boolean unused() {
        return sequences == 0 && holds == 0;
    }

    /** Since when nobody has needed it, by {@link System#nanoTime}. */
    long idleSince() {
        return idleSince;
    }
}
