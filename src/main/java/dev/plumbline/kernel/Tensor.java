package dev.plumbline.kernel;

/**
 * A dense row-major array that lives on a backend. The host reads or writes it only through
 * {@link Kernels#upload}/{@link Kernels#download}. Offsets are 64-bit; a tensor may exceed 2^31 elements.
 */
public interface Tensor extends AutoCloseable {

    /** Type of the elements. */
    DType dtype();

    /** The dimensions, outermost first. */
    long[] shape();

    /** Number of dimensions. */
    default int rank() {
        return shape().length;
    }

    /** Size of dimension {@code axis}. */
    default long dim(int axis) {
        return shape()[axis];
    }

    /** Number of elements. */
    default long elements() {
        long n = 1;
        for (long dim : shape()) {
            n = Math.multiplyExact(n, dim);
        }
        return n;
    }

    /** Bytes of the elements. */
    default long bytes() {
        return Math.multiplyExact(elements(), dtype().bytes());
    }

    /**
     * A view of the outermost rows {@code [from, to)} that shares memory with this tensor.
     *
     * @throws IndexOutOfBoundsException if the range leaves the tensor
     */
    Tensor rows(long from, long to);

    /**
     * The same elements under another shape, sharing memory.
     *
     * @throws IllegalArgumentException if the number of elements differs
     */
    Tensor reshape(long... shape);

    /** Frees the memory; does nothing on a view. Using the tensor or a view of it afterwards is an error. */
    @Override
    void close();
}
