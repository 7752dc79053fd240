package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Pool;
import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.PageFormat.Layout;
import dev.plumbline.precision.RowCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/** Rows of a pool as floats. */
final class PoolRows {
    private final HostTensor data;
    private final PageFormat format;
    private final RowCodec codec;
    private final int width;

    PoolRows(Pool pool) {
        this.data = HostTensor.of(pool.data());
        this.format = pool.format();
        this.codec = new RowCodec(format);
        this.width = format.width();
    }

    HostTensor data() {
        return data;
    }

    PageFormat format() {
        return format;
    }

    long pages() {
        return data.dim(0);
    }

    /** Name of the format in a variant's id: fp32, bf16, index_fp8 … */
    String name() {
        return format.layout().name().toLowerCase(Locale.ROOT);
    }

    boolean rowScaled() {
        return format.layout() == Layout.INDEX_FP8;
    }

    /** Elements of a page, or bytes where it is not plain. */
    private long pageLength() {
        return format.plain() ? (long) format.rows() * width : format.bytes();
    }

    /** Copies a page of a pool of the same format. */
    void copyPage(PoolRows source, long from, long to) {
        int length = Math.toIntExact(pageLength());
        if (format.plain()) {
            data.write(source.data.copy(from * length, length), 0, length, to * length);
        } else {
            byte[] page = new byte[length];
            source.data.read(from * length, page, 0, length);
            data.write(page, 0, length, to * length);
        }
    }

    /** The numbers of a row; those of INDEX_FP8 without their {@link #scale}. */
    void read(long page, int row, float[] target) {
        if (format.plain()) {
            data.read(page * pageLength() + (long) row * width, target, 0, width);
        } else {
            codec.read(numbers(page, row), scales(page, row), target);
        }
    }

    /** What the numbers of a row are to be multiplied with. */
    float scale(long page, int row) {
        return rowScaled() ? codec.scale(scales(page, row)) : 1;
    }

    /** Stores a row. */
    void write(long page, int row, float[] source) {
        if (format.plain()) {
            data.write(source, 0, width, page * pageLength() + (long) row * width);
        } else {
            codec.write(source, numbers(page, row), scales(page, row));
        }
    }

    private ByteBuffer numbers(long page, int row) {
        return bytes(page * pageLength() + format.rowOffset(row), format.rowBytes());
    }

    private ByteBuffer scales(long page, int row) {
        return bytes(page * pageLength() + format.scaleOffset(row), format.scaleBytes());
    }

    private ByteBuffer bytes(long at, int length) {
        return ByteBuffer.wrap(data.bytes(at, length), data.place(at), length)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
    }
}
