package dev.plumbline.engine;

/** A running generation. */
public interface Generation {

    /** The lane that it runs on from its first token to its last. */
    LaneKey lane();

    /** Asks the loop to drop the generation; its pages are free within one step. Idempotent; safe from any thread. */
    void cancel();
}
