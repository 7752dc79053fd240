package dev.plumbline.engine;

/** A running generation. */
public interface Generation {

    /** Asks the loop to drop the generation; its pages are free within one step. Idempotent; safe from any thread. */
    void cancel();
}
