package dev.plumbline.precision;

/** Value of the flag {@code index_logits}: how the scores read the index keys; the scores are bitwise the same. */
public enum IndexLogits {
    /** Page by page, where they lie. */
    PAGED,
    /** From a copy of the keys, made chunk by chunk within a stated budget. */
    GATHERED
}
