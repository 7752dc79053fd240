package dev.plumbline.engine;

/** Too many generations wait; try again later. */
public final class QueueFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A queue that holds {@code limit} waiting generations. */
    public QueueFullException(int limit) {
        super("the queue is full: " + limit + " generations wait");
    }
}
