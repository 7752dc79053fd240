package dev.plumbline.model;

import java.nio.ByteBuffer;
import java.util.Objects;

/** A tensor, or a part of one, inside a mapped file. */
final class MappedTensor implements StoredTensor {
    private final MappedFile file;
    private final String name;
    private final StoredType type;
    private final long[] shape;
    private final long elements;
    private final long offset;

    MappedTensor(MappedFile file, String name, StoredType type, long[] shape, long offset) {
        this.file = file;
        this.name = name;
        this.type = type;
        this.shape = shape.clone();
        this.elements = StoredTensor.super.elements();
        this.offset = offset;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public StoredType type() {
        return type;
    }

    @Override
    public long[] shape() {
        return shape.clone();
    }

    @Override
    public long elements() {
        return elements;
    }

    /** The same elements under another name. */
    MappedTensor named(String other) {
        return new MappedTensor(file, other, type, shape, offset);
    }

    /** A consecutive part of the elements as a tensor of its own. */
    MappedTensor part(String partName, long from, long[] partShape) {
        MappedTensor part = new MappedTensor(file, partName, type, partShape, offset + from * type.bytes());
        Objects.checkFromIndexSize(from, part.elements, elements);
        return part;
    }

    /** Raw little-endian bytes: as many consecutive ones from an element on as can be had at once. */
    ByteBuffer bytes(long from) {
        Objects.checkIndex(from, elements);
        return file.at(offset + from * type.bytes(), type.bytes(), (elements - from) * type.bytes());
    }

    @Override
    public void read(long from, float[] target, int at, int length) {
        check(from, target.length, at, length);
        for (int done = 0; done < length; ) {
            ByteBuffer bytes = bytes(from + done);
            int n = Math.min(length - done, bytes.capacity() / type.bytes());
            widen(bytes, target, at + done, n);
            done += n;
        }
    }

    @Override
    public void read(long from, int[] target, int at, int length) {
        check(from, target.length, at, length);
        if (type != StoredType.INT32 && type != StoredType.INT64) {
            throw new IllegalStateException(name + " holds " + type + ", not integers");
        }
        for (int done = 0; done < length; ) {
            ByteBuffer bytes = bytes(from + done);
            int n = Math.min(length - done, bytes.capacity() / type.bytes());
            for (int i = 0; i < n; i++) {
                target[at + done + i] =
                        type == StoredType.INT32 ? bytes.getInt(i * 4) : Math.toIntExact(bytes.getLong(i * 8));
            }
            done += n;
        }
    }

    private void check(long from, int targetLength, int at, int length) {
        Objects.checkFromIndexSize(from, length, elements);
        Objects.checkFromIndexSize(at, length, targetLength);
    }

    private void widen(ByteBuffer bytes, float[] target, int at, int n) {
        switch (type) {
            case FP32 -> bytes.asFloatBuffer().get(target, at, n);
            case BF16 -> {
                for (int i = 0; i < n; i++) {
                    target[at + i] = Float.intBitsToFloat(bytes.getShort(i * 2) << 16);
                }
            }
            case FP16 -> {
                for (int i = 0; i < n; i++) {
                    target[at + i] = halfToFloat(bytes.getShort(i * 2));
                }
            }
            case INT32 -> {
                for (int i = 0; i < n; i++) {
                    target[at + i] = bytes.getInt(i * 4);
                }
            }
            case INT64 -> {
                for (int i = 0; i < n; i++) {
                    target[at + i] = bytes.getLong(i * 8);
                }
            }
        }
    }

    /** Exact: every half is a float. Java 17 has no conversion of its own. */
    static float halfToFloat(short half) {
        int sign = half & 0x8000;
        int exponent = half >>> 10 & 0x1f;
        int fraction = half & 0x3ff;
        if (exponent == 0) {
            float magnitude = fraction * 0x1p-24f;
            return sign == 0 ? magnitude : -magnitude;
        }
        int widened = exponent == 0x1f ? 0xff : exponent + 112;
        return Float.intBitsToFloat(sign << 16 | widened << 23 | fraction << 13);
    }
}
