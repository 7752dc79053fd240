package dev.plumbline.precision;

/** e4m3: sign, 4 exponent bits with bias 7, 3 fraction bits; no infinities, NaN is 0x7f and 0xff. */
final class Fp8 {
    static final float HIGHEST = 448;

    private static final int NAN = 0x7f;
    private static final int HIGHEST_CODE = 0x7e;
    private static final int BIAS = 7;
    private static final int DROPPED_BITS = 20;
    private static final float LEAST_NORMAL = 0x1p-6f;
    private static final float SUBNORMALS_PER_ONE = 0x1p9f;
    private static final float[] VALUES = values();

    private Fp8() {}

    /** Nearest code, ties to even, saturating. */
    static int encode(float value) {
        if (value != value) {
            return NAN;
        }
        int sign = Float.floatToRawIntBits(value) >>> 31 << 7;
        float size = Math.abs(value);
        if (size >= HIGHEST) {
            return sign | HIGHEST_CODE;
        }
        if (size < LEAST_NORMAL) {
            return sign | (int) Math.rint(size * SUBNORMALS_PER_ONE);
        }
        int bits = Float.floatToRawIntBits(size);
        int rounded = bits + (1 << DROPPED_BITS - 1) - 1 + ((bits >>> DROPPED_BITS) & 1);
        int code = (rounded >>> DROPPED_BITS) - (127 - BIAS << 3);
        return sign | Math.min(code, HIGHEST_CODE);
    }

    static float decode(int code) {
        return VALUES[code & 255];
    }

    private static float[] values() {
        float[] values = new float[256];
        for (int code = 0; code < 256; code++) {
            int exponent = (code >>> 3) & 15;
            int fraction = code & 7;
            float size = exponent == 0 ? fraction * 0x1p-9f : Math.scalb(1 + fraction / 8f, exponent - BIAS);
            if ((code & NAN) == NAN) {
                size = Float.NaN;
            }
            values[code] = (code & 128) == 0 ? size : -size;
        }
        return values;
    }
}
