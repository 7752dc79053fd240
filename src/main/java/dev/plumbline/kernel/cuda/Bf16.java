package dev.plumbline.kernel.cuda;

/** Conversion between floats and bf16 on the host. */
final class Bf16 {
    private Bf16() {}

    /** Rounds to nearest even; NaN stays NaN. */
    static short round(float value) {
        int bits = Float.floatToRawIntBits(value);
        if ((bits & 0x7fffffff) > 0x7f800000) {
            return (short) ((bits | 0x400000) >>> 16);
        }
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }

    static float widen(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }
}
