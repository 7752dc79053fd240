package dev.plumbline.precision;

/** Rounds rows, block by block, to what a page would hold of them; see {@link PageFormat}. Plain Java, exact. */
public final class Blocks {
    private Blocks() {}

    /** Rounds as INDEX_MXFP4 stores, in place. */
    public static void roundFp4(float[] x, int from, int length) {
        for (int at = from; at < from + length; at += PageFormat.MXFP4_BLOCK) {
            int n = Math.min(PageFormat.MXFP4_BLOCK, from + length - at);
            int code = fp4Scale(x, at, n);
            float scale = Scales.value(code);
            for (int i = at; i < at + n; i++) {
                x[i] = (code == Scales.NAN ? 0 : Fp4.decode(Fp4.encode(x[i] / scale))) * scale;
            }
        }
    }

    /** Rounds as KV_FP8 stores dims that are not rotated, in place. */
    public static void roundFp8(float[] x, int from, int length) {
        for (int at = from; at < from + length; at += PageFormat.FP8_BLOCK) {
            int n = Math.min(PageFormat.FP8_BLOCK, from + length - at);
            float scale = Scales.value(fp8Scale(x, at, n));
            for (int i = at; i < at + n; i++) {
                x[i] = Fp8.decode(Fp8.encode(x[i] / scale)) * scale;
            }
        }
    }

    /** Rounds as INDEX_FP8 stores, in place, but leaves out the scale of the row, which is returned. */
    public static float roundFp8Row(float[] x, int from, int length) {
        float scale = rowScale(x, from, length);
        for (int i = from; i < from + length; i++) {
            x[i] = Fp8.decode(Fp8.encode(x[i] / scale));
        }
        return scale;
    }

    /** E8M0 code of the scale of a block of e2m1 numbers. */
    static int fp4Scale(float[] x, int from, int length) {
        return Scales.hasNaN(x, from, length)
                ? Scales.NAN
                : Scales.powerOfTwo(Scales.highest(x, from, length, Scales.FP4_FLOOR) / Fp4.HIGHEST);
    }

    /** E8M0 code of the scale of a block of e4m3 numbers. */
    static int fp8Scale(float[] x, int from, int length) {
        return Scales.powerOfTwo(Scales.highest(x, from, length, Scales.FP8_FLOOR) / Fp8.HIGHEST);
    }

    /** Scale of a row of e4m3 numbers. */
    static float rowScale(float[] x, int from, int length) {
        return Scales.highest(x, from, length, Scales.FP8_FLOOR) / Fp8.HIGHEST;
    }
}
