package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.DenseTensor;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Tensor;

/** A tensor in the Java heap, or a view of one. Elements of a bf16 tensor are floats already rounded. */
final class HostTensor extends DenseTensor {
    private final Storage storage;
    private final long start;

    private HostTensor(Storage storage, Span span) {
        super(storage.dtype(), span);
        this.storage = storage;
        this.start = span.start();
    }

    static HostTensor allocate(DType dtype, long... shape) {
        Span span = Span.all(shape);
        return new HostTensor(new Storage(dtype, span.elements(), span.shape()), span);
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

    int size(int axis) {
        return Math.toIntExact(dim(axis));
    }

    int lastDim() {
        return Math.toIntExact(width());
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
    protected Tensor view(Span part) {
        return new HostTensor(storage, part);
    }

    @Override
    protected void free() {
        storage.close();
    }
}
