package dev.plumbline.precision;

/**
 * How many bytes one stored row takes: an index key, or a key/value of the window or of an entry. A page holds the
 * values of all its rows, then their scales; nothing lies between or after them.
 *
 * @param valueBytes bytes of the values of a row
 * @param scaleBytes bytes of its scales, padding included; 0 where values need none
 */
public record RowFormat(int valueBytes, int scaleBytes) {

    /** Rows of a page of entries or of index keys. */
    public static final int PAGE_ROWS = 64;

    /** Values of a key/value row that share a scale in fp8. */
    public static final int FP8_BLOCK = 64;

    /** Values of an index key that share a scale in mxfp4. */
    public static final int MXFP4_BLOCK = 32;

    /** Scales of fp8 key/value rows are padded to a multiple of this. */
    private static final int SCALE_ALIGNMENT = 8;

    private static final int FLOAT_BYTES = 4;
    private static final int BF16_BYTES = 2;

    /**
     * An index key: fp8 has one fp32 scale a key, mxfp4 packs two values in a byte and has one E8M0 byte per 32 values.
     *
     * @param dims width of the key
     */
    public static RowFormat indexKey(StorageType type, int dims) {
        return switch (type) {
            case FP32 -> new RowFormat(FLOAT_BYTES * dims, 0);
            case BF16 -> new RowFormat(BF16_BYTES * dims, 0);
            case FP8 -> new RowFormat(dims, FLOAT_BYTES);
            case MXFP4 -> new RowFormat(up(dims, 2), up(dims, MXFP4_BLOCK));
        };
    }

    /**
     * A key/value: fp8 keeps the rotated dims in bf16 and the others in e4m3 with one E8M0 byte per 64 of them, the
     * last block possibly partial.
     *
     * @param dims width of the row, rotated dims included
     * @param rotated the last dims
     * @throws IllegalArgumentException for mxfp4, which {@code kv_dtype} does not have
     */
    public static RowFormat keyValue(StorageType type, int dims, int rotated) {
        return switch (type) {
            case FP32 -> new RowFormat(FLOAT_BYTES * dims, 0);
            case BF16 -> new RowFormat(BF16_BYTES * dims, 0);
            case FP8 -> {
                int scales = up(dims - rotated, FP8_BLOCK);
                int padded = up(scales, SCALE_ALIGNMENT) * SCALE_ALIGNMENT;
                yield new RowFormat(dims - rotated + BF16_BYTES * rotated, padded);
            }
            case MXFP4 -> throw new IllegalArgumentException("kv_dtype is mxfp4; allowed: fp32, bf16, fp8");
        };
    }

    /** Bytes of a row. */
    public int bytes() {
        return valueBytes + scaleBytes;
    }

    /** Bytes of a page. */
    public int pageBytes() {
        return PAGE_ROWS * bytes();
    }

    /** Where the scales of a page start. */
    public int pageScalesAt() {
        return PAGE_ROWS * valueBytes;
    }

    private static int up(int amount, int unit) {
        return (amount + unit - 1) / unit;
    }
}
