package dev.plumbline.target;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the bytes that all traces in work may come to: each is kept until its answer is written. */
final class TraceBudget {
    /** Parts of the heap, of which traces may take one: written out, a trace takes its size several times. */
    private static final int PARTS = 8;

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    TraceBudget() {
        this(Math.max(2 * TraceSize.MOST, Runtime.getRuntime().maxMemory() / PARTS));
    }

    TraceBudget(long limit) {
        this.limit = limit;
    }

    long used() {
        return used.get();
    }

    /**
     * Takes room for a trace.
     *
     * @throws TracesFullException if others have taken it
     */
    Room take(long bytes) {
        if (used.addAndGet(bytes) > limit) {
            used.addAndGet(-bytes);
            throw new TracesFullException(bytes, limit);
        }
        return new Room(bytes);
    }

    /** Room of one trace; given back once. */
    final class Room {
        private final AtomicLong bytes;

        private Room(long bytes) {
            this.bytes = new AtomicLong(bytes);
        }

        void giveBack() {
            used.addAndGet(-bytes.getAndSet(0));
        }
    }
}
