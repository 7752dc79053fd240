package dev.plumbline.kernel;

import java.util.Arrays;

/**
 * What tensors of every backend share: a shape, the place in the memory where the elements begin, and views of both. A
 * backend adds the memory.
 */
public abstract class DenseTensor implements Tensor {
    private final DType dtype;
    private final Span span;

    /**
     * Elements that lie one after the other in a memory.
     *
     * @param start the first of them, counted in elements from the beginning of the memory
     * @param shape outermost dimension first
     * @param elements how many they are, the product of the shape
     * @param view whether the memory belongs to another tensor
     */
    protected record Span(long start, long[] shape, long elements, boolean view) {

        /**
         * All elements of a new memory.
         *
         * @throws KernelException if there is no dimension, one is negative or the elements overflow 64 bits
         */
        public static Span all(long... shape) {
            if (shape.length == 0) {
                throw new KernelException("allocate: a tensor needs at least one dimension");
            }
            long[] own = shape.clone();
            long elements = 1;
            for (long dim : own) {
                if (dim < 0) {
                    throw new KernelException("allocate: shape is " + Arrays.toString(own) + ", dims are at least 0");
                }
                elements = product(own, elements, dim);
            }
            return new Span(0, own, elements, false);
        }

        /**
         * Bytes that the elements take.
         *
         * @throws KernelException if they overflow 64 bits
         */
        public long bytes(DType dtype) {
            return product(shape, elements, dtype.bytes());
        }

        private static long product(long[] shape, long a, long b) {
            try {
                return Math.multiplyExact(a, b);
            } catch (ArithmeticException overflow) {
                throw new KernelException("allocate: shape " + Arrays.toString(shape) + " overflows 64 bits", overflow);
            }
        }

        private Span rows(long from, long to) {
            long row = shape[0] == 0 ? 0 : elements / shape[0];
            long[] viewed = shape.clone();
            viewed[0] = to - from;
            return new Span(start + from * row, viewed, (to - from) * row, true);
        }
    }

    protected DenseTensor(DType dtype, Span span) {
        this.dtype = dtype;
        this.span = span;
    }

    /** A tensor that shares this one's memory. */
    protected abstract Tensor view(Span part);

    /** Frees the memory. */
    protected abstract void free();

    @Override
    public final DType dtype() {
        return dtype;
    }

    @Override
    public final long[] shape() {
        return span.shape.clone();
    }

    @Override
    public final int rank() {
        return span.shape.length;
    }

    @Override
    public final long dim(int axis) {
        return span.shape[axis];
    }

    @Override
    public final long elements() {
        return span.elements;
    }

    /** Size of the last dimension. */
    public final long width() {
        return span.shape[span.shape.length - 1];
    }

    /** Number of rows along the last dimension. */
    public final long outerRows() {
        long width = width();
        return width == 0 ? 0 : span.elements / width;
    }

    @Override
    public final Tensor rows(long from, long to) {
        if (from < 0 || to < from || to > span.shape[0]) {
            throw new IndexOutOfBoundsException("rows " + from + " to " + to + " of " + this);
        }
        return view(span.rows(from, to));
    }

    @Override
    public final Tensor reshape(long... dims) {
        KernelChecks.reshape(this, dims);
        return view(new Span(span.start, dims.clone(), span.elements, true));
    }

    @Override
    public final void close() {
        if (!span.view) {
            free();
        }
    }

    @Override
    public final String toString() {
        return dtype + Arrays.toString(span.shape);
    }
}
