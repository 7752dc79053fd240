package dev.plumbline.engine;

import java.util.concurrent.CompletableFuture;

/** Keeps a lane open until it is closed; safe from any thread, and closing twice does nothing. */
public interface LaneHold extends AutoCloseable {

    /** Which lane. */
    LaneKey key();

    /**
     * Completes once the lane is open, never on the step loop's thread; fails with what {@link Engine#activate} fails
     * with.
     */
    CompletableFuture<LaneFacts> opened();

    @Override
    void close();
}
