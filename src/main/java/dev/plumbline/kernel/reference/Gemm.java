package dev.plumbline.kernel.reference;

/**
 * The one inner loop of the matrix kernels: {@code c[n] += a[k]·b[k][n]}, strictly in the order of k, so that an output
 * never depends on how rows or blocks are cut. Rows are arrays of their own because the compiler turns the loop into
 * vector instructions only when every array is indexed by the bare loop variable.
 */
final class Gemm {
    private Gemm() {}

    static void accumulate(float[] a, int at, int inputs, float[][] b, int row, int width, float[] c) {
        int k = 0;
        for (; k + 4 <= inputs; k += 4) {
            int i = at + k;
            int j = row + k;
            four(a[i], a[i + 1], a[i + 2], a[i + 3], b[j], b[j + 1], b[j + 2], b[j + 3], width, c);
        }
        for (; k < inputs; k++) {
            one(a[at + k], b[row + k], width, c);
        }
    }

    private static void four(
            float a0,
            float a1,
            float a2,
            float a3,
            float[] b0,
            float[] b1,
            float[] b2,
            float[] b3,
            int width,
            float[] c) {
        for (int n = 0; n < width; n++) {
            c[n] = c[n] + a0 * b0[n] + a1 * b1[n] + a2 * b2[n] + a3 * b3[n];
        }
    }

    private static void one(float a, float[] b, int width, float[] c) {
        for (int n = 0; n < width; n++) {
            c[n] = c[n] + a * b[n];
        }
    }

    /** {@code target[k][j] = source[j][k]} for j below {@code count} and k below {@code width}. */
    static void transpose(float[][] source, int count, int width, float[][] target) {
        int j = 0;
        for (; j + 4 <= count; j += 4) {
            float[] s0 = source[j];
            float[] s1 = source[j + 1];
            float[] s2 = source[j + 2];
            float[] s3 = source[j + 3];
            for (int k = 0; k < width; k++) {
                float[] row = target[k];
                row[j] = s0[k];
                row[j + 1] = s1[k];
                row[j + 2] = s2[k];
                row[j + 3] = s3[k];
            }
        }
        for (; j < count; j++) {
            for (int k = 0; k < width; k++) {
                target[k][j] = source[j][k];
            }
        }
    }

    /** Sum of products with eight running sums, combined in one fixed way. */
    static float dot(float[] a, int at, float[] b, int bt, int length) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        float s4 = 0;
        float s5 = 0;
        float s6 = 0;
        float s7 = 0;
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            s0 += a[at + i] * b[bt + i];
            s1 += a[at + i + 1] * b[bt + i + 1];
            s2 += a[at + i + 2] * b[bt + i + 2];
            s3 += a[at + i + 3] * b[bt + i + 3];
            s4 += a[at + i + 4] * b[bt + i + 4];
            s5 += a[at + i + 5] * b[bt + i + 5];
            s6 += a[at + i + 6] * b[bt + i + 6];
            s7 += a[at + i + 7] * b[bt + i + 7];
        }
        float sum = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
        for (; i < length; i++) {
            sum += a[at + i] * b[bt + i];
        }
        return sum;
    }
}
