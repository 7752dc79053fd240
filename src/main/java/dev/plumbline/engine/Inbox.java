package dev.plumbline.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/** What other threads want of the step loop, in order; refuses everything once it is closed. Thread-safe. */
final class Inbox {
    private final Queue<Runnable> messages = new ArrayDeque<>();
    private boolean awake;
    private boolean closed;
    private RuntimeException reason = new IllegalStateException("the engine is closed");

    /**
     * Leaves a message, which runs on the loop's thread.
     *
     * @throws RuntimeException why the inbox was closed
     */
    synchronized void post(Runnable message) {
        if (closed) {
            throw reason;
        }
        messages.add(message);
        wake();
    }

    /** Makes the loop look at its sequences. */
    synchronized void wake() {
        awake = true;
        notifyAll();
    }

    /** Runs what was posted, after waiting for something while the loop has nothing to do; false once it is closed. */
    boolean drain(boolean idle, Optional<Duration> longest) {
        if (idle) {
            await(longest);
        }
        while (true) {
            Runnable next;
            synchronized (this) {
                awake = false;
                if (closed || messages.isEmpty()) {
                    return !closed;
                }
                next = messages.remove();
            }
            next.run();
        }
    }

    private synchronized void await(Optional<Duration> longest) {
        long start = System.nanoTime();
        while (!closed && messages.isEmpty() && !awake) {
            // Rounded up, since no time at all means for ever.
            long left = longest.map(time -> time.toMillis() + 1 - (System.nanoTime() - start) / 1_000_000)
                    .orElse(0L);
            if (longest.isPresent() && left <= 0) {
                return;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                closed = true;
            }
        }
    }

    synchronized boolean open() {
        return !closed;
    }

    /** Refuses what comes from now on. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** The same, with the reason that is given for it; hands out what nobody will run. */
    synchronized Queue<Runnable> close(RuntimeException why) {
        closed = true;
        reason = why;
        Queue<Runnable> rest = new ArrayDeque<>(messages);
        messages.clear();
        return rest;
    }
}
