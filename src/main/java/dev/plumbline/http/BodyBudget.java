package dev.plumbline.http;

import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/**
 * Bounds the bytes of all bodies that are read, parsed and encoded at one time: a large body costs many times its size
 * in texts and tokens, and a few dozen at once would end the process for lack of heap.
 */
@Component
public final class BodyBudget {
    /** Heap that a byte of a body may cost until its prompt is encoded. */
    private static final int HEAP_PER_BYTE = 24;

    /** Part of that which the texts alone cost, two bytes a character and a third for what is made of them. */
    private static final int KEPT_PART = 8;

    private static final int RETRY_SECONDS = 2;

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    BodyBudget() {
        this(Math.max(2L * BodyReader.LIMIT, Runtime.getRuntime().maxMemory() / HEAP_PER_BYTE));
    }

    BodyBudget(long limit) {
        this.limit = limit;
    }

    /** A share that grows with the body it is for. */
    public Share open() {
        return new Share();
    }

    long used() {
        return used.get();
    }

    /** What one body has taken; safe from any thread. */
    public final class Share {
        private long taken;
        private boolean settled;
        private boolean released;

        /** Takes more, or refuses with status 429. */
        public synchronized void take(long bytes) {
            if (released) {
                return;
            }
            if (used.addAndGet(bytes) > limit) {
                used.addAndGet(-bytes);
                throw ApiException.tooManyRequests("The server is busy with other large requests.", RETRY_SECONDS);
            }
            taken += bytes;
        }

        /** Gives back what only parsing and encoding need: while it is answered a request keeps its texts. Idempotent. */
        public synchronized void settle() {
            if (!settled) {
                long kept = (taken + KEPT_PART - 1) / KEPT_PART;
                used.addAndGet(kept - taken);
                taken = kept;
                settled = true;
            }
        }

        /** Gives all back; idempotent. */
        public synchronized void release() {
            released = true;
            used.addAndGet(-taken);
            taken = 0;
        }
    }
}
