package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;

/**
 * Elements of a tensor in segments that come into being when first touched, so that a large pool costs only the pages
 * in use. A segment holds whole rows of the allocated shape.
 */
final class Storage {
    private static final long SINGLE_SEGMENT = 1L << 24;
    private static final long ROW_LIMIT = 1L << 22;
    private static final long LONGEST_ROW = 1L << 28;

    private final DType dtype;
    private final long elements;
    private final int segmentLength;
    private float[][] floats;
    private int[][] ints;
    private byte[][] bytes;

    Storage(DType dtype, long elements, long[] shape) {
        this.dtype = dtype;
        this.elements = elements;
        this.segmentLength = segmentLength(elements, shape);
        long segments = (elements + segmentLength - 1) / segmentLength;
        if (segments > Integer.MAX_VALUE - 8) {
            throw new KernelException("allocate: " + elements + " elements are more than this backend can address");
        }
        switch (dtype) {
            case FP32, BF16 -> floats = new float[(int) segments][];
            case INT32 -> ints = new int[(int) segments][];
            case BYTE -> bytes = new byte[(int) segments][];
        }
    }

    private static int segmentLength(long elements, long[] shape) {
        if (elements <= SINGLE_SEGMENT) {
            return (int) Math.max(1, elements);
        }
        int last = shape.length - 1;
        long unit = shape[last] <= LONGEST_ROW ? shape[last] : 1;
        for (int axis = last - 1; axis >= 0 && unit * shape[axis] <= ROW_LIMIT; axis--) {
            unit *= shape[axis];
        }
        return (int) (unit * Math.max(1, ROW_LIMIT / unit));
    }

    DType dtype() {
        return dtype;
    }

    int segmentLength() {
        return segmentLength;
    }

    /** Place of an element within its segment. */
    int place(long index) {
        return (int) (index % segmentLength);
    }

    float[] floats(long index) {
        float[][] all = floats;
        if (all == null) {
            throw unavailable("fp32 or bf16");
        }
        int segment = (int) (index / segmentLength);
        float[] found = all[segment];
        return found != null ? found : newFloats(all, segment);
    }

    int[] ints(long index) {
        int[][] all = ints;
        if (all == null) {
            throw unavailable("int32");
        }
        int segment = (int) (index / segmentLength);
        int[] found = all[segment];
        return found != null ? found : newInts(all, segment);
    }

    byte[] bytes(long index) {
        byte[][] all = bytes;
        if (all == null) {
            throw unavailable("byte");
        }
        int segment = (int) (index / segmentLength);
        byte[] found = all[segment];
        return found != null ? found : newBytes(all, segment);
    }

    private synchronized byte[] newBytes(byte[][] all, int segment) {
        if (all[segment] == null) {
            try {
                all[segment] = new byte[lengthOf(segment)];
            } catch (OutOfMemoryError full) {
                throw tooLarge(segment, full);
            }
        }
        return all[segment];
    }

    private synchronized float[] newFloats(float[][] all, int segment) {
        if (all[segment] == null) {
            try {
                all[segment] = new float[lengthOf(segment)];
            } catch (OutOfMemoryError full) {
                throw tooLarge(segment, full);
            }
        }
        return all[segment];
    }

    private synchronized int[] newInts(int[][] all, int segment) {
        if (all[segment] == null) {
            try {
                all[segment] = new int[lengthOf(segment)];
            } catch (OutOfMemoryError full) {
                throw tooLarge(segment, full);
            }
        }
        return all[segment];
    }

    private int lengthOf(int segment) {
        return (int) Math.min(segmentLength, elements - (long) segment * segmentLength);
    }

    private KernelException tooLarge(int segment, OutOfMemoryError full) {
        return new KernelException(
                "the Java heap has no room for " + lengthOf(segment) + " more elements; raise -Xmx", full);
    }

    private KernelException unavailable(String expected) {
        return new KernelException(
                floats == null && ints == null && bytes == null
                        ? "tensor was closed and then used"
                        : "tensor is " + dtype + ", expected " + expected);
    }

    void close() {
        floats = null;
        ints = null;
        bytes = null;
    }
}
