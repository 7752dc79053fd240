package dev.plumbline.precision;

/** Value of the flag {@code expert_dtype}: compute form of the routed experts. */
public enum ExpertType {
    /** The type they are stored in. */
    STORED,
    BF16,
    FP32
}
