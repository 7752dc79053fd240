package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelChecks;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Tensor;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** A tensor in native memory, or a view of one. */
final class CpuTensor implements Tensor {
    private final NativeMemory memory;
    private final DType dtype;
    private final long offset;
    private final long[] shape;
    private final long elements;
    private final boolean view;

    private CpuTensor(NativeMemory memory, DType dtype, long offset, long[] shape, long elements, boolean view) {
        this.memory = memory;
        this.dtype = dtype;
        this.offset = offset;
        this.shape = shape;
        this.elements = elements;
        this.view = view;
    }

    static CpuTensor allocate(DType dtype, long[] shape, AtomicLong allocated) {
        long elements = count(shape);
        long bytes;
        try {
            bytes = Math.multiplyExact(elements, dtype.bytes());
        } catch (ArithmeticException overflow) {
            throw new KernelException("allocate: shape " + Arrays.toString(shape) + " overflows 64 bits", overflow);
        }
        return new CpuTensor(NativeMemory.allocate(bytes, allocated), dtype, 0, shape.clone(), elements, false);
    }

    private static long count(long[] shape) {
        if (shape.length == 0) {
            throw new KernelException("allocate: a tensor needs at least one dimension");
        }
        long elements = 1;
        try {
            for (long dim : shape) {
                if (dim < 0) {
                    throw new KernelException("allocate: shape is " + Arrays.toString(shape) + ", dims are at least 0");
                }
                elements = Math.multiplyExact(elements, dim);
            }
        } catch (ArithmeticException overflow) {
            throw new KernelException("allocate: shape " + Arrays.toString(shape) + " overflows 64 bits", overflow);
        }
        return elements;
    }

    /** The tensor as one of this backend. */
    static CpuTensor of(Tensor tensor) {
        if (tensor instanceof CpuTensor own) {
            return own;
        }
        throw new KernelException("tensor of another backend: " + tensor);
    }

    NativeMemory memory() {
        return memory;
    }

    long address() {
        return memory.address() + offset * dtype.bytes();
    }

    @Override
    public DType dtype() {
        return dtype;
    }

    @Override
    public long[] shape() {
        return shape.clone();
    }

    @Override
    public int rank() {
        return shape.length;
    }

    @Override
    public long dim(int axis) {
        return shape[axis];
    }

    @Override
    public long elements() {
        return elements;
    }

    /** Size of the last dimension. */
    long width() {
        return shape[shape.length - 1];
    }

    /** Number of rows along the last dimension. */
    long outerRows() {
        long width = width();
        return width == 0 ? 0 : elements / width;
    }

    @Override
    public Tensor rows(long from, long to) {
        if (from < 0 || to < from || to > shape[0]) {
            throw new IndexOutOfBoundsException("rows " + from + " to " + to + " of " + this);
        }
        long row = shape[0] == 0 ? 0 : elements / shape[0];
        long[] viewed = shape.clone();
        viewed[0] = to - from;
        return new CpuTensor(memory, dtype, offset + from * row, viewed, (to - from) * row, true);
    }

    @Override
    public Tensor reshape(long... dims) {
        KernelChecks.reshape(this, dims);
        return new CpuTensor(memory, dtype, offset, dims.clone(), elements, true);
    }

    @Override
    public void close() {
        if (!view) {
            memory.close();
        }
    }

    @Override
    public String toString() {
        return dtype + Arrays.toString(shape);
    }
}
