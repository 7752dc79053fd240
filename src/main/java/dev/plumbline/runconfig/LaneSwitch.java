package dev.plumbline.runconfig;

import dev.plumbline.engine.LaneFacts;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.target.NativeTarget;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a lane to be built, tested and made the one that new generations get. */
final class LaneSwitch {
    private static final int BEAT_SECONDS = 5;
    private static final int MOST_BEATS = 120;

    private LaneSwitch() {}

    /**
     * Switches; takes as long as building the lane does. Throws what {@link dev.plumbline.engine.Engine#activate} fails
     * with.
     *
     * @param heartbeat called every few seconds meanwhile
     */
    static LaneFacts to(NativeTarget target, LaneKey lane, Runnable heartbeat) {
        CompletableFuture<LaneFacts> built = target.engine().activate(lane);
        try {
            for (int beat = 0; beat < MOST_BEATS; beat++) {
                try {
                    return built.get(BEAT_SECONDS, TimeUnit.SECONDS);
                } catch (TimeoutException e) {
                    heartbeat.run();
                }
            }
            throw new NotServedException(
                    "the lane of " + lane.label() + " was not built within " + BEAT_SECONDS * MOST_BEATS + " seconds");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException reason
                    ? reason
                    : new IllegalStateException("the lane of " + lane.label() + " could not be built", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotServedException("the server is shutting down");
        }
    }
}
