package dev.plumbline.kernel;

import dev.plumbline.precision.StorageType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Pages of keys, byte by byte, written from the description of the layouts and from nothing else: numbers are found by
 * looking through all there are, scales by counting, offsets by adding up.
 */
final class StoredBytes {
    private static final int PAGE = 64;

    private StoredBytes() {}

    /** What code a number has in a type with a sign bit above {@code codes} codes of ascending size. */
    private static int nearest(double value, double[] sizes) {
        double size = Math.abs(value);
        int best = 0;
        for (int code = 1; code < sizes.length; code++) {
            double closer = Math.abs(sizes[code] - size) - Math.abs(sizes[best] - size);
            if (closer < 0 || closer == 0 && code % 2 == 0) {
                best = code;
            }
        }
        boolean negative = Double.doubleToRawLongBits(value) < 0;
        return negative ? sizes.length + best : best;
    }

    /** Sizes of e4m3: eight multiples of 2^-9, then eight a binade from 2^-6 on, without the last, which is NaN. */
    private static double[] e4m3() {
        double[] sizes = new double[127];
        for (int code = 0; code < 127; code++) {
            sizes[code] = code < 8 ? code / 512.0 : (8 + code % 8) / 8.0 * Math.pow(2, code / 8 - 7);
        }
        return sizes;
    }

    private static final double[] E4M3 = e4m3();
    private static final double[] E2M1 = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

    static int e4m3(float value) {
        if (Float.isNaN(value)) {
            return 0x7f;
        }
        double clamped = Math.max(-448, Math.min(448, (double) value));
        int code = nearest(value == 0 ? value : clamped, E4M3);
        return code < 127 ? code : code - 127 + 128;
    }

    static double e4m3(int code) {
        if ((code & 127) == 127) {
            return Double.NaN;
        }
        return (code & 128) == 0 ? E4M3[code] : -E4M3[code - 128];
    }

    private static int e2m1(float value) {
        return nearest(value == 0 ? value : Math.max(-6, Math.min(6, (double) value)), E2M1);
    }

    private static double e2m1(int code) {
        return code < 8 ? E2M1[code] : -E2M1[code - 8];
    }

    /** Division of floats, by way of doubles, whose second rounding changes nothing. */
    private static float divided(float a, double b) {
        return (float) (a / b);
    }

    private static float highest(float[] row, int from, int to, double floor) {
        double highest = floor;
        for (int i = from; i < to; i++) {
            if (!Float.isNaN(row[i])) {
                highest = Math.max(highest, Math.min(Math.abs((double) row[i]), Float.MAX_VALUE));
            }
        }
        return (float) highest;
    }

    /** The exponent of the least power of two that is not below. */
    private static int ceilingOfLog(float value) {
        int exponent = -149;
        while (Math.pow(2, exponent) < value) {
            exponent++;
        }
        return exponent;
    }

    /** A page with all of these rows, the first ones of it. */
    static byte[] indexKeys(StorageType type, float[][] rows) {
        int d = rows[0].length;
        int scales = type == StorageType.FP8 ? 4 : (d + 31) / 32;
        int numbers = type == StorageType.FP8 ? d : d / 2;
        ByteBuffer page = ByteBuffer.allocate(PAGE * (numbers + scales)).order(ByteOrder.LITTLE_ENDIAN);
        for (int r = 0; r < rows.length; r++) {
            if (type == StorageType.FP8) {
                float scale = divided(highest(rows[r], 0, d, 1e-4f), 448);
                page.putFloat(PAGE * d + 4 * r, scale);
                for (int i = 0; i < d; i++) {
                    page.put(r * d + i, (byte) e4m3(divided(rows[r][i], scale)));
                }
            } else {
                fp4Row(rows[r], page, r * numbers, PAGE * numbers + r * scales);
            }
        }
        return page.array();
    }

    private static void fp4Row(float[] row, ByteBuffer page, int at, int scalesAt) {
        for (int from = 0; from < row.length; from += 32) {
            int to = Math.min(row.length, from + 32);
            boolean spoiled = false;
            for (int i = from; i < to; i++) {
                spoiled |= Float.isNaN(row[i]);
            }
            int exponent = ceilingOfLog(divided(highest(row, from, to, 6 * Math.pow(2, -126)), 6));
            page.put(scalesAt + from / 32, (byte) (spoiled ? 255 : exponent + 127));
            for (int i = from; i < to; i++) {
                int code = spoiled ? 0 : e2m1(divided(row[i], Math.pow(2, exponent)));
                int place = at + i / 2;
                page.put(place, (byte) (page.get(place) | code << (i % 2 == 0 ? 0 : 4)));
            }
        }
    }

    /** A page of fp8 keys/values with these rows of {@code capacity}, the last {@code rotated} dims in bf16. */
    static byte[] keyValues(float[][] rows, int[] places, int capacity, int rotated) {
        int d = rows[0].length;
        int plain = d - rotated;
        int numbers = plain + 2 * rotated;
        int scales = ((plain + 63) / 64 + 7) / 8 * 8;
        ByteBuffer page = ByteBuffer.allocate(capacity * (numbers + scales)).order(ByteOrder.LITTLE_ENDIAN);
        for (int r = 0; r < rows.length; r++) {
            float[] row = rows[r];
            int at = places[r] * numbers;
            for (int from = 0; from < plain; from += 64) {
                int to = Math.min(plain, from + 64);
                int exponent = ceilingOfLog(divided(highest(row, from, to, 1e-4f), 448));
                page.put(capacity * numbers + places[r] * scales + from / 64, (byte) (exponent + 127));
                for (int i = from; i < to; i++) {
                    page.put(at + i, (byte) e4m3(divided(row[i], Math.pow(2, exponent))));
                }
            }
            for (int i = plain; i < d; i++) {
                short bits = (short) (Float.floatToIntBits(Oracle.bf16(row[i])) >>> 16);
                page.putShort(at + plain + 2 * (i - plain), bits);
            }
        }
        return page.array();
    }

    /** The page with every NaN of its bf16 numbers written alike: which NaN it is, no layout says. */
    static byte[] withOneNaN(byte[] bytes, int capacity, int d, int rotated) {
        ByteBuffer page = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int plain = d - rotated;
        for (int r = 0; r < capacity; r++) {
            for (int i = 0; i < rotated; i++) {
                int place = r * (plain + 2 * rotated) + plain + 2 * i;
                if (Float.isNaN(Float.intBitsToFloat(page.getShort(place) << 16))) {
                    page.putShort(place, (short) 0x7fc0);
                }
            }
        }
        return page.array();
    }

    /** The numbers of the rows of a page of index keys. */
    static float[][] indexKeys(StorageType type, byte[] bytes, int rows, int d) {
        ByteBuffer page = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        float[][] result = new float[rows][d];
        for (int r = 0; r < rows; r++) {
            for (int i = 0; i < d; i++) {
                if (type == StorageType.FP8) {
                    result[r][i] = (float) (e4m3(page.get(r * d + i) & 255) * page.getFloat(PAGE * d + 4 * r));
                } else {
                    int code = page.get(r * (d / 2) + i / 2) >> (i % 2 * 4) & 15;
                    int scale = page.get(PAGE * (d / 2) + r * ((d + 31) / 32) + i / 32) & 255;
                    result[r][i] = scale == 255 ? Float.NaN : (float) (e2m1(code) * Math.pow(2, scale - 127));
                }
            }
        }
        return result;
    }

    /** The numbers of one row of a page of fp8 keys/values. */
    static float[] keyValue(byte[] bytes, int place, int capacity, int d, int rotated) {
        ByteBuffer page = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int plain = d - rotated;
        int numbers = plain + 2 * rotated;
        int scales = ((plain + 63) / 64 + 7) / 8 * 8;
        float[] row = new float[d];
        for (int i = 0; i < d; i++) {
            if (i < plain) {
                int scale = page.get(capacity * numbers + place * scales + i / 64) & 255;
                row[i] = (float) (e4m3(page.get(place * numbers + i) & 255) * Math.pow(2, scale - 127));
            } else {
                row[i] = Float.intBitsToFloat(page.getShort(place * numbers + plain + 2 * (i - plain)) << 16);
            }
        }
        return row;
    }

    /** A row as it reads after it was stored. */
    static float[] rounded(StorageType indexType, float[] row) {
        return switch (indexType) {
            case FP32 -> row;
            case BF16 -> Oracle.bf16(row);
            case FP8, MXFP4 -> {
                byte[] page = indexKeys(indexType, new float[][] {row});
                yield indexKeys(indexType, page, 1, row.length)[0];
            }
        };
    }

    /** A key/value as it reads after it was stored in fp8. */
    static float[] roundedKeyValue(float[] row, int rotated) {
        byte[] page = keyValues(new float[][] {row}, new int[] {0}, 1, rotated);
        return keyValue(page, 0, 1, row.length, rotated);
    }

    /** The Hadamard matrix in Sylvester's order, as a matrix: row i, column j is + where i AND j has an even number of ones. */
    static float[] hadamard(float[] row) {
        int d = row.length;
        float[] x = row.clone();
        for (int apart = 1; apart < d; apart *= 2) {
            float[] next = new float[d];
            for (int i = 0; i < d; i++) {
                next[i] = (i & apart) == 0 ? x[i] + x[i + apart] : x[i - apart] - x[i];
            }
            x = next;
        }
        for (int i = 0; i < d; i++) {
            x[i] *= (float) Math.pow(d, -0.5);
        }
        return x;
    }

    /** The same in double precision, from the definition of the matrix. */
    static double[] hadamardExactly(float[] row) {
        double[] result = new double[row.length];
        for (int i = 0; i < row.length; i++) {
            for (int j = 0; j < row.length; j++) {
                result[i] += (Integer.bitCount(i & j) % 2 == 0 ? row[j] : -row[j]) / Math.sqrt(row.length);
            }
        }
        return result;
    }
}
