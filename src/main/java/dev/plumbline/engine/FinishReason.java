package dev.plumbline.engine;

/** Why a generation ended. */
public enum FinishReason {
    /** A stop token was sampled. */
    STOP,
    /** The token limit or the end of the context was reached. */
    LENGTH,
    /** The caller cancelled. */
    CANCELLED
}
