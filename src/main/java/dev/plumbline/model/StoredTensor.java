package dev.plumbline.model;

/**
 * One tensor of a checkpoint, row-major {@code [out, in]}, read on demand from the mapped file. Elements are addressed
 * with 64-bit indexes; a tensor may exceed 2 GiB.
 */
public interface StoredTensor {

    /** The name in the release's original style (spec section 2), such as {@code layers.0.attn.wq_a.weight}. */
    String name();

    /** The type of the stored elements. */
    StoredType type();

    /** The dimensions, outermost first; empty for a scalar. */
    long[] shape();

    /** Number of elements. */
    default long elements() {
        long n = 1;
        for (long dim : shape()) {
            n *= dim;
        }
        return n;
    }

    /**
     * Reads consecutive elements widened to float (exact for bf16 and fp16).
     *
     * @param from index of the first element
     * @param target receives {@code length} values from {@code offset} on
     * @throws IndexOutOfBoundsException if the range leaves the tensor or the target
     */
    void read(long from, float[] target, int offset, int length);

    /**
     * Reads consecutive elements of an integer tensor.
     *
     * @throws ArithmeticException if a stored int64 does not fit an int
     */
    void read(long from, int[] target, int offset, int length);
}
