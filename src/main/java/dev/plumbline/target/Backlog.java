package dev.plumbline.target;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of an answer its reader has not taken yet, in tokens and log-probabilities. It grows on the step loop, which
 * never waits, and shrinks on the reader's thread.
 */
final class Backlog {
    /** A few megabytes; beyond every whole answer without log-probabilities but those of the longest contexts. */
    static final long MOST = 131_072;

    private final AtomicLong behind = new AtomicLong();

    /** Notes an event; whether it may be kept. */
    boolean add(EngineFlux.Event event) {
        return behind.addAndGet(weight(event)) <= MOST;
    }

    void remove(EngineFlux.Event event) {
        behind.addAndGet(-weight(event));
    }

    long behind() {
        return behind.get();
    }

    private static int weight(EngineFlux.Event event) {
        boolean scored = event instanceof EngineFlux.Token token && token.logProbabilities() != null;
        return scored ? 2 + ((EngineFlux.Token) event).logProbabilities().top().size() : 1;
    }
}
