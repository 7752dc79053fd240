package dev.plumbline.precision;

/** Scales of blocks, as {@link PageFormat} defines them. */
final class Scales {
    /** Least magnitude that an e4m3 scale is made for. */
    static final float FP8_FLOOR = 1e-4f;
    /** Least magnitude that an e2m1 scale is made for. */
    static final float FP4_FLOOR = 6 * 0x1p-126f;
    /** E8M0 code of a block that holds a NaN in a type that has none. */
    static final int NAN = 255;

    private static final int FRACTION_BITS = 23;

    private Scales() {}

    /** Largest magnitude, at least {@code floor}; infinities count as the largest float and NaN not at all. */
    static float highest(float[] values, int from, int length, float floor) {
        float highest = floor;
        for (int i = from; i < from + length; i++) {
            float size = Math.min(Math.abs(values[i]), Float.MAX_VALUE);
            if (size > highest) {
                highest = size;
            }
        }
        return highest;
    }

    static boolean hasNaN(float[] values, int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (values[i] != values[i]) {
                return true;
            }
        }
        return false;
    }

    /** E8M0 code of the least power of two that is not below a positive normal number. */
    static int powerOfTwo(float least) {
        int bits = Float.floatToRawIntBits(least);
        return (bits >>> FRACTION_BITS) + ((bits & (1 << FRACTION_BITS) - 1) == 0 ? 0 : 1);
    }

    /** 2^(code − 127) for codes of 1 to 254; of 255 an infinity, so that zeros under it read as NaN. */
    static float value(int code) {
        return Float.intBitsToFloat(code << FRACTION_BITS);
    }
}
