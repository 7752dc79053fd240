package dev.plumbline.precision;

/** e2m1: sign, 2 exponent bits, 1 fraction bit: 0, ½, 1, 1½, 2, 3, 4 and 6. */
final class Fp4 {
    static final float HIGHEST = 6;

    private static final float[] SIZES = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};

    private Fp4() {}

    /** Nearest code, ties to the even code, saturating; the value is a number. */
    static int encode(float value) {
        int sign = Float.floatToRawIntBits(value) >>> 31 << 3;
        float size = Math.abs(value);
        int code = 0;
        while (code < SIZES.length - 1) {
            float middle = (SIZES[code] + SIZES[code + 1]) / 2;
            if (size < middle || size == middle && code % 2 == 0) {
                break;
            }
            code++;
        }
        return sign | code;
    }

    static float decode(int code) {
        float size = SIZES[code & 7];
        return (code & 8) == 0 ? size : -size;
    }
}
