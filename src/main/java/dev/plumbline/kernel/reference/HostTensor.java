package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelChecks;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Tensor;
import java.util.Arrays;

/** A tensor in the Java heap, or a view of one. Elements of a bf16 tensor are floats already rounded. */
final class HostTensor implements Tensor {
    private final Storage storage;
    private final long start;
    private final long[] shape;
    private final long elements;
    private final boolean view;

    private HostTensor(Storage storage, long start, long[] shape, long elements, boolean view) {
        this.storage = storage;
        this.start = start;
        this.shape = shape;
        this.elements = elements;
        this.view = view;
    }

    static HostTensor allocate(DType dtype, long... shape) {
        if (shape.length == 0) {
            throw new KernelException("allocate: a tensor needs at least one dimension");
        }
        long[] own = shape.clone();
        long elements = 1;
        try {
            for (long dim : own) {
                if (dim < 0) {
                    throw new KernelException("allocate: shape is " + Arrays.toString(own) + ", dims are at least 0");
                }
                elements = Math.multiplyExact(elements, dim);
            }
        } catch (ArithmeticException overflow) {
            throw new KernelException("allocate: shape " + Arrays.toString(own) + " overflows 64 bits", overflow);
        }
        return new HostTensor(new Storage(dtype, elements, own), 0, own, elements, false);
    }

    /** The tensor as one of this backend. */
    static HostTensor of(Tensor tensor) {
        if (tensor instanceof HostTensor host) {
            return host;
        }
        throw new KernelException("tensor of another backend: " + tensor);
    }

    /** Null for null. */
    static HostTensor ofNullable(Tensor tensor) {
        return tensor == null ? null : of(tensor);
    }

    @Override
    public DType dtype() {
        return storage.dtype();
    }

    @Override
    public long[] shape() {
        return shape.clone();
    }

    @Override
    public long dim(int axis) {
        return shape[axis];
    }

    @Override
    public long elements() {
        return elements;
    }

    int size(int axis) {
        return Math.toIntExact(shape[axis]);
    }

    int lastDim() {
        return Math.toIntExact(shape[shape.length - 1]);
    }

    boolean isBf16() {
        return storage.dtype() == DType.BF16;
    }

    /** The array that holds elements {@code [index, index + length)}. */
    float[] floats(long index, int length) {
        float[] segment = storage.floats(start + index);
        if (storage.place(start + index) + length > segment.length) {
            throw straddles(index, length);
        }
        return segment;
    }

    /** The array that holds elements {@code [index, index + length)}. */
    int[] ints(long index, int length) {
        int[] segment = storage.ints(start + index);
        if (storage.place(start + index) + length > segment.length) {
            throw straddles(index, length);
        }
        return segment;
    }

    /** The array that holds bytes {@code [index, index + length)}. */
    byte[] bytes(long index, int length) {
        byte[] segment = storage.bytes(start + index);
        if (storage.place(start + index) + length > segment.length) {
            throw straddles(index, length);
        }
        return segment;
    }

    private KernelException straddles(long index, int length) {
        return new KernelException("elements " + index + " to " + (index + length) + " of " + this
                + " lie in different segments; allocate it with its rows as the last dim");
    }

    /** Place of element {@code index} in the array that {@link #floats}, {@link #ints} or {@link #bytes} returns. */
    int place(long index) {
        return storage.place(start + index);
    }

    int intAt(long index) {
        return storage.ints(start + index)[storage.place(start + index)];
    }

    void setInt(long index, int value) {
        storage.ints(start + index)[storage.place(start + index)] = value;
    }

    float floatAt(long index) {
        return storage.floats(start + index)[storage.place(start + index)];
    }

    void setFloat(long index, float value) {
        storage.floats(start + index)[storage.place(start + index)] = value;
    }

    /** How many elements from {@code index} on lie in one array, at most {@code wanted}. */
    int contiguous(long index, int wanted) {
        return Math.min(wanted, storage.segmentLength() - storage.place(start + index));
    }

    /** A copy of {@code length} elements. */
    float[] copy(long index, int length) {
        float[] copied = new float[length];
        read(index, copied, 0, length);
        return copied;
    }

    void read(long index, float[] target, int offset, int length) {
        for (int done = 0; done < length; ) {
            int n = contiguous(index + done, length - done);
            System.arraycopy(storage.floats(start + index + done), place(index + done), target, offset + done, n);
            done += n;
        }
    }

    void read(long index, int[] target, int offset, int length) {
        for (int done = 0; done < length; ) {
            int n = contiguous(index + done, length - done);
            System.arraycopy(storage.ints(start + index + done), place(index + done), target, offset + done, n);
            done += n;
        }
    }

    /** Writes floats, rounded if this tensor is bf16. */
    void write(float[] source, int offset, int length, long index) {
        for (int done = 0; done < length; ) {
            int n = contiguous(index + done, length - done);
            float[] segment = storage.floats(start + index + done);
            int place = place(index + done);
            if (isBf16()) {
                Rounding.bf16(source, offset + done, segment, place, n);
            } else {
                System.arraycopy(source, offset + done, segment, place, n);
            }
            done += n;
        }
    }

    void write(int[] source, int offset, int length, long index) {
        for (int done = 0; done < length; ) {
            int n = contiguous(index + done, length - done);
            System.arraycopy(source, offset + done, storage.ints(start + index + done), place(index + done), n);
            done += n;
        }
    }

    void read(long index, byte[] target, int offset, int length) {
        for (int done = 0; done < length; ) {
            int n = contiguous(index + done, length - done);
            System.arraycopy(storage.bytes(start + index + done), place(index + done), target, offset + done, n);
            done += n;
        }
    }

    void write(byte[] source, int offset, int length, long index) {
        for (int done = 0; done < length; ) {
            int n = contiguous(index + done, length - done);
            System.arraycopy(source, offset + done, storage.bytes(start + index + done), place(index + done), n);
            done += n;
        }
    }

    @Override
    public Tensor rows(long from, long to) {
        if (from < 0 || to < from || to > shape[0]) {
            throw new IndexOutOfBoundsException("rows " + from + " to " + to + " of " + this);
        }
        long row = shape[0] == 0 ? 0 : elements / shape[0];
        long[] viewed = shape.clone();
        viewed[0] = to - from;
        return new HostTensor(storage, start + from * row, viewed, (to - from) * row, true);
    }

    @Override
    public Tensor reshape(long... dims) {
        KernelChecks.reshape(this, dims);
        return new HostTensor(storage, start, dims.clone(), elements, true);
    }

    @Override
    public void close() {
        if (!view) {
            storage.close();
        }
    }

    @Override
    public String toString() {
        return dtype() + Arrays.toString(shape);
    }
}
