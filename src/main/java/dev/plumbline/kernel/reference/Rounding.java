package dev.plumbline.kernel.reference;

/** Rounding of floats to bf16, to nearest even; the results stay floats. */
final class Rounding {
    private Rounding() {}

    static float bf16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if ((bits & 0x7fffffff) > 0x7f800000) {
            return Float.intBitsToFloat((bits | 0x400000) & 0xffff0000);
        }
        return Float.intBitsToFloat((bits + 0x7fff + ((bits >>> 16) & 1)) & 0xffff0000);
    }

    static void bf16(float[] source, int from, float[] target, int at, int length) {
        for (int i = 0; i < length; i++) {
            target[at + i] = bf16(source[from + i]);
        }
    }
}
