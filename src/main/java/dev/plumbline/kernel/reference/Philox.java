package dev.plumbline.kernel.reference;

/** Philox4x32-10, the counter-based generator of Random123. */
final class Philox {
    private static final long M0 = 0xD2511F53L;
    private static final long M1 = 0xCD9E8D57L;
    private static final int W0 = 0x9E3779B9;
    private static final int W1 = 0xBB67AE85;

    private Philox() {}

    /** The four words of counter (c0, c1, c2, c3) under key (k0, k1). */
    static int[] block(int c0, int c1, int c2, int c3, int k0, int k1) {
        int[] c = {c0, c1, c2, c3};
        int low = k0;
        int high = k1;
        for (int round = 0; round < 10; round++) {
            long p0 = M0 * Integer.toUnsignedLong(c[0]);
            long p1 = M1 * Integer.toUnsignedLong(c[2]);
            c = new int[] {(int) (p1 >>> 32) ^ c[1] ^ low, (int) p1, (int) (p0 >>> 32) ^ c[3] ^ high, (int) p0};
            low += W0;
            high += W1;
        }
        return c;
    }

    /** A multiple of 2^-24 in [0, 1) for the token at {@code position} of choice {@code choice}. */
    static double uniform(int position, int choice, int seedLow, int seedHigh) {
        return (block(position, choice, 0, 0, seedLow, seedHigh)[0] >>> 8) * 0x1p-24;
    }
}
