package dev.plumbline.recall.run;

import dev.plumbline.engine.EngineStatus;

/**
 * How many cells the engine may have at once. Chats come first: cells never take more than half of the places of a step, one
 * of them while a chat runs, and none is handed over while a chat waits.
 */
final class Room {
    private Room() {}

    /**
     * How many more may be handed over.
     *
     * @param parallel sequences that the lane has room for
     * @param asked cells that the engine has already
     */
    static int left(EngineStatus status, int parallel, int asked) {
        int others = Math.max(0, status.running() + status.waiting() - asked);
        if (others > 0 && status.waiting() > 0) {
            return 0;
        }
        int most = others > 0 ? 1 : Math.max(1, Math.min(parallel, status.maxSequences() / 2));
        return Math.max(0, most - asked);
    }
}
