package dev.plumbline.engine;

import java.util.concurrent.CompletableFuture;

/** A {@link LaneHold} of an engine: what it does to its lane it does on the step loop's thread. */
final class Hold implements LaneHold {
    private final LaneKey key;
    private final Inbox inbox;
    private final CompletableFuture<LaneFacts> opened = new CompletableFuture<>();
    private LaneHandle lane;
    private boolean closed;

    Hold(LaneKey key, Inbox inbox) {
        this.key = key;
        this.inbox = inbox;
    }

    /** Keeps this lane open; on the step loop's thread. */
    void take(LaneHandle handle) {
        synchronized (this) {
            lane = handle;
            handle.hold();
        }
        handle.onOpened((facts, failure) -> complete(opened, facts, failure));
    }

    /** Completes a future away from the step loop, which must not run what hangs on it. */
    static void complete(CompletableFuture<LaneFacts> future, LaneFacts facts, RuntimeException failure) {
        future.completeAsync(() -> {
            if (failure != null) {
                throw failure;
            }
            return facts;
        });
    }

    @Override
    public LaneKey key() {
        return key;
    }

    @Override
    public CompletableFuture<LaneFacts> opened() {
        return opened;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        try {
            inbox.post(() -> lane.letGo());
        } catch (RuntimeException engineClosed) {
            // Its lanes are closed already.
        }
    }
}
