package dev.plumbline.precision;

/** Type of stored keys, of a linear's operands, or of a sum; each flag allows some of them. */
public enum StorageType {
    FP32,
    BF16,
    /** e4m3 with scales. */
    FP8,
    /** e2m1 in blocks of 32 with power-of-two scales. */
    MXFP4
}
