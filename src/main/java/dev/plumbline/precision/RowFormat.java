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
    public static final int PAGE_ROWS = PageFormat.ENTRIES;

    /**
     * An index key: fp8 has one fp32 scale a key, mxfp4 packs two values in a byte and has one E8M0 byte per 32 values.
     *
     * @param dims width of the key
     */
    public static RowFormat indexKey(StorageType type, int dims) {
        return of(PageFormat.indexKeys(type, dims));
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
        return of(PageFormat.keyValues(type, PAGE_ROWS, dims, rotated));
    }

    private static RowFormat of(PageFormat format) {
        return new RowFormat(format.rowBytes(), format.scaleBytes());
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
}
