package dev.plumbline.kernel;

/**
 * What is done to a key or an index query between its rotation by position and its storage. All arithmetic is fp32; the
 * rounding is that of {@link dev.plumbline.precision.PageFormat}, and what comes out is the rounded number again.
 */
public enum KeyTransform {
    NONE,
    /**
     * Hadamard matrix in Sylvester's order times (float) d^-½, over the whole row of d = 2^n numbers: sums and differences
     * of numbers 1 apart, then 2, 4, … apart, then the factor.
     */
    HADAMARD,
    /** The same, then e2m1 in blocks of 32 with power-of-two scales, as INDEX_MXFP4 rounds. */
    HADAMARD_FP4,
    /** The dims that are not rotated by position: e4m3 in blocks of 64 with power-of-two scales, as KV_FP8 rounds. */
    FP8_BLOCKS
}
