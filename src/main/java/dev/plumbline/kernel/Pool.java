package dev.plumbline.kernel;

import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.RowCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Pages of rows in one format: a pool of compressed entries or of index keys, or a ring, whose pages are its slots.
 *
 * @param data [pages, rows, width] fp32 or bf16 where the format is plain, else [pages, bytes of a page] byte
 * @param format what a page holds
 */
public record Pool(Tensor data, PageFormat format) {

    /** Plain rows of fp32 or bf16: data [pages, rows, width]. */
    public static Pool of(Tensor data) {
        if (data == null || data.rank() != 3) {
            throw new KernelException("pool is " + data + ", expected fp32 or bf16 [pages, rows, width]");
        }
        if (data.dim(1) < 1 || data.dim(2) < 1) {
            throw new KernelException(
                    "pool is " + data + ", expected pages of at least one row of at least one number");
        }
        PageFormat.Layout layout = data.dtype() == DType.BF16 ? PageFormat.Layout.BF16 : PageFormat.Layout.FP32;
        return new Pool(data, new PageFormat(layout, Math.toIntExact(data.dim(1)), Math.toIntExact(data.dim(2)), 0));
    }

    /** Zeroed pages on a backend. */
    public static Pool allocate(Kernels kernels, PageFormat format, long pages) {
        return new Pool(
                switch (format.layout()) {
                    case FP32 -> kernels.allocate(DType.FP32, pages, format.rows(), format.width());
                    case BF16 -> kernels.allocate(DType.BF16, pages, format.rows(), format.width());
                    case INDEX_FP8, INDEX_MXFP4, KV_FP8 -> kernels.allocate(DType.BYTE, pages, format.bytes());
                },
                format);
    }

    /** Number of pages. */
    public long pages() {
        return data.dim(0);
    }

    /** Waits for the work so far and reads the numbers of one row, whatever the format. */
    public float[] readRow(Kernels kernels, long page, int row) {
        float[] numbers = new float[format.width()];
        if (format.plain()) {
            long at = (page * format.rows() + row) * format.width();
            kernels.download(data, at, numbers, 0, numbers.length);
            return numbers;
        }
        RowCodec codec = new RowCodec(format);
        ByteBuffer scales = bytes(kernels, page, format.scaleOffset(row), format.scaleBytes());
        codec.read(bytes(kernels, page, format.rowOffset(row), format.rowBytes()), scales, numbers);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] *= codec.scale(scales);
        }
        return numbers;
    }

    private ByteBuffer bytes(Kernels kernels, long page, long offset, int length) {
        byte[] bytes = new byte[length];
        kernels.download(data, page * format.bytes() + offset, bytes, 0, length);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
