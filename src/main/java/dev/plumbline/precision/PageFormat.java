package dev.plumbline.precision;

/**
 * How rows of keys lie in a page of a cache, byte by byte, little-endian. Pure arithmetic: what allocates, writes, reads
 * and prices a page asks the same object.
 *
 * <p>With n rows of width d, of which the last R dims are rotated:
 *
 * <ul>
 *   <li>FP32, BF16: n rows of d numbers.
 *   <li>INDEX_FP8: n rows of d e4m3 numbers, then n fp32 scales. scale = max(amax, 1e-4) / 448.
 *   <li>INDEX_MXFP4: n rows of d/2 bytes, low nibble the even dim, each nibble an e2m1 number; then n rows of ⌈d/32⌉
 *       E8M0 scales, one for 32 dims (the last may cover fewer). scale = 2^⌈log2(max(amax, 6·2^-126) / 6)⌉.
 *   <li>KV_FP8: n rows of d − R e4m3 numbers and R bf16 numbers; then n rows of ⌈(d − R)/64⌉ E8M0 scales, one for 64 dims
 *       (the last may cover fewer), filled up with zeros to a multiple of 8 bytes. scale = 2^⌈log2(max(amax, 1e-4) /
 *       448)⌉.
 * </ul>
 *
 * <p>A number is stored as x / scale (an fp32 division), rounded to nearest even, saturating. amax is the largest
 * magnitude among what a scale covers; infinities count as the largest finite float and NaN not at all. In e4m3 a NaN is
 * 0x7f, in bf16 any NaN; in e2m1, which has none, it makes the scale of its block 0xff and the numbers under it 0. ⌈log2 x⌉ is read off the
 * bits of x: its exponent, and one more if the fraction is not 0. Sources: spec sections 3.12 and 4.3.
 *
 * @param layout one of the above
 * @param rows n, rows of a page
 * @param width d, numbers of a row
 * @param rotated R; 0 unless the layout is KV_FP8
 */
public record PageFormat(Layout layout, int rows, int width, int rotated) {
    /** Entries of a page of compressed keys or of index keys. */
    public static final int ENTRIES = 64;
    /** Dims under one scale of INDEX_MXFP4. */
    public static final int MXFP4_BLOCK = 32;
    /** Dims under one scale of KV_FP8. */
    public static final int FP8_BLOCK = 64;

    private static final int SCALE_ALIGNMENT = 8;

    /** What a page consists of. */
    public enum Layout {
        FP32,
        BF16,
        INDEX_FP8,
        INDEX_MXFP4,
        KV_FP8
    }

    /** Checks the numbers. */
    public PageFormat {
        if (rows < 1 || width < 0 || rotated < 0 || rotated > width) {
            throw new IllegalArgumentException(
                    "a page of " + rows + " rows of " + width + " numbers, " + rotated + " of them rotated");
        }
        boolean even = width % 2 == 0 && rotated % 2 == 0;
        if ((layout == Layout.INDEX_MXFP4 || layout == Layout.KV_FP8) && !even) {
            throw new IllegalArgumentException("rows of " + layout + " have " + width + " numbers, " + rotated
                    + " of them rotated; allowed: even numbers");
        }
        if (rotated != 0 && layout != Layout.KV_FP8) {
            throw new IllegalArgumentException(layout + " does not set rotated dims apart");
        }
    }

    /** Pages of index keys. */
    public static PageFormat indexKeys(StorageType type, int width) {
        return new PageFormat(
                switch (type) {
                    case FP32 -> Layout.FP32;
                    case BF16 -> Layout.BF16;
                    case FP8 -> Layout.INDEX_FP8;
                    case MXFP4 -> Layout.INDEX_MXFP4;
                },
                ENTRIES,
                width,
                0);
    }

    /**
     * Pages of keys/values: {@value #ENTRIES} rows for compressed entries, the window's length for a ring.
     *
     * @throws IllegalArgumentException if keys/values cannot be stored like this
     */
    public static PageFormat keyValues(StorageType type, int rows, int width, int rotated) {
        return switch (type) {
            case FP32 -> new PageFormat(Layout.FP32, rows, width, 0);
            case BF16 -> new PageFormat(Layout.BF16, rows, width, 0);
            case FP8 -> new PageFormat(Layout.KV_FP8, rows, width, rotated);
            case MXFP4 -> throw new IllegalArgumentException("kv_dtype is mxfp4; allowed: fp32, bf16, fp8");
        };
    }

    /** The value of {@code kv_dtype} or {@code index_key_dtype} that pages of this format are made for. */
    public StorageType type() {
        return switch (layout) {
            case FP32 -> StorageType.FP32;
            case BF16 -> StorageType.BF16;
            case INDEX_FP8, KV_FP8 -> StorageType.FP8;
            case INDEX_MXFP4 -> StorageType.MXFP4;
        };
    }

    /** Whether rows are plain numbers, without scales. */
    public boolean plain() {
        return layout == Layout.FP32 || layout == Layout.BF16;
    }

    /** Bytes of a row's numbers. */
    public int rowBytes() {
        return switch (layout) {
            case FP32 -> Math.multiplyExact(width, Float.BYTES);
            case BF16 -> Math.multiplyExact(width, Short.BYTES);
            case INDEX_FP8 -> width;
            case INDEX_MXFP4 -> width / 2;
            case KV_FP8 -> width - rotated + rotated * Short.BYTES;
        };
    }

    /** Scales of a row. */
    public int scales() {
        return switch (layout) {
            case FP32, BF16 -> 0;
            case INDEX_FP8 -> 1;
            case INDEX_MXFP4 -> roundedUp(width, MXFP4_BLOCK) / MXFP4_BLOCK;
            case KV_FP8 -> roundedUp(width - rotated, FP8_BLOCK) / FP8_BLOCK;
        };
    }

    /** Bytes of a row's scales, filling included. */
    public int scaleBytes() {
        return switch (layout) {
            case FP32, BF16 -> 0;
            case INDEX_FP8 -> Float.BYTES;
            case INDEX_MXFP4 -> scales();
            case KV_FP8 -> roundedUp(scales(), SCALE_ALIGNMENT);
        };
    }

    /** Bytes of a page. */
    public long bytes() {
        return (long) rows * (rowBytes() + scaleBytes());
    }

    /** Byte of a page at which a row's numbers start. */
    public long rowOffset(int row) {
        return (long) row * rowBytes();
    }

    /** Byte of a page at which a row's scales start. */
    public long scaleOffset(int row) {
        return (long) rows * rowBytes() + (long) row * scaleBytes();
    }

    private static int roundedUp(int value, int step) {
        return (value + step - 1) / step * step;
    }
}
