package dev.plumbline.precision;

/** Floating-point type of stored keys, or of a linear's operands. */
public enum StorageType {
    FP32,
    BF16
}
