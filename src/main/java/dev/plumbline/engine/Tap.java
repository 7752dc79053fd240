package dev.plumbline.engine;

/** A named value inside the forward pass that can be observed; free while nobody asks. T rows of the step. */
public enum Tap {
    /** [T, D] collapsed streams before the attention norm. */
    MIX_OUT,
    /** [T, index heads, index head dim] rotated index query, before rounding. */
    INDEX_QUERY,
    /** [n, entries] index scores of n rows; invisible entries are unspecified. Comes in tiles. */
    SCORES,
    /** [n, budget] int32 selected entry ids of n rows, ascending, −1 after the last. A tile follows its scores. */
    SELECTION,
    /** [T, H] log of the attention denominator. */
    LOG_SUM_EXP,
    /** [T, H, d] query that attention worked with; follows {@link #LOG_SUM_EXP}. */
    ATTENTION_QUERY,
    /** [T, D] attention output. */
    ATTENTION_OUT,
    /** [T, E] router logits, before softplus and bias. */
    ROUTER_LOGITS,
    /** [T, D] expert output. */
    FFN_OUT,
    /** [T, h, D] streams after the layer. */
    STREAMS_OUT
}
