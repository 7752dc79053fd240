package dev.plumbline.kernel;

/**
 * How {@link Kernels#indexScores} computes.
 *
 * @param scoreType FP32; or BF16: the dot product of each head, accumulated in fp32, is rounded to bf16, so is its
 *     product with the head's weight, the sum over heads runs in fp32, and the score is rounded to bf16
 * @param gathered null to read the keys page by page where they lie; else pages of the same format, at least one, into
 *     which the pages of a sequence are copied, as many at a time as it has, to be read there. The scores have the same
 *     bits either way
 */
public record IndexScoring(DType scoreType, Pool gathered) {
    /** Scores in fp32, page by page. */
    public static final IndexScoring PAGED = new IndexScoring(DType.FP32, null);
}
