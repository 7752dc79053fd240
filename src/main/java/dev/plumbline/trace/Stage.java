package dev.plumbline.trace;

/** Which stage of a generation computed a query. */
public enum Stage {
    /** The query's token is part of the prompt. */
    PREFILL,
    /** The query's token was generated. */
    DECODE
}
