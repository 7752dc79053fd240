package dev.plumbline.precision;

/** Value of the flag {@code numerics} (spec section 3.12). */
public enum Numerics {
    /** The arithmetic that logits are compared in: nothing is rounded but by the other flags. */
    HF,
    /** As the released weights were trained: index keys and queries rotated and rounded to fp4, keys/values to fp8. */
    QAT
}
