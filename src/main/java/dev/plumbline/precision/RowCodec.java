package dev.plumbline.precision;

import java.nio.ByteBuffer;

/**
 * A row of a page that is not plain, between numbers and bytes; see {@link PageFormat}. Buffers are little-endian and
 * hold the row's numbers, and its scales, from their start on.
 *
 * @param format what a page holds
 */
public record RowCodec(PageFormat format) {

    /** Writes the bytes of a row. */
    public void write(float[] row, ByteBuffer numbers, ByteBuffer scales) {
        switch (format.layout()) {
            case INDEX_FP8 -> {
                float scale = Blocks.rowScale(row, 0, format.width());
                for (int i = 0; i < format.width(); i++) {
                    numbers.put(i, (byte) Fp8.encode(row[i] / scale));
                }
                scales.putFloat(0, scale);
            }
            case INDEX_MXFP4 -> writeFp4(row, numbers, scales);
            case KV_FP8 -> writeKeyValue(row, numbers, scales);
            case FP32, BF16 -> throw new IllegalArgumentException(format.layout() + " is plain");
        }
    }

    private void writeFp4(float[] row, ByteBuffer numbers, ByteBuffer scales) {
        for (int block = 0; block < format.scales(); block++) {
            int from = block * PageFormat.MXFP4_BLOCK;
            int n = Math.min(PageFormat.MXFP4_BLOCK, format.width() - from);
            int code = Blocks.fp4Scale(row, from, n);
            float scale = Scales.value(code);
            scales.put(block, (byte) code);
            for (int i = from; i < from + n; i += 2) {
                int low = code == Scales.NAN ? 0 : Fp4.encode(row[i] / scale);
                int high = code == Scales.NAN ? 0 : Fp4.encode(row[i + 1] / scale);
                numbers.put(i / 2, (byte) (low | high << 4));
            }
        }
    }

    private void writeKeyValue(float[] row, ByteBuffer numbers, ByteBuffer scales) {
        int plain = format.width() - format.rotated();
        for (int block = 0; block < format.scales(); block++) {
            int from = block * PageFormat.FP8_BLOCK;
            int n = Math.min(PageFormat.FP8_BLOCK, plain - from);
            int code = Blocks.fp8Scale(row, from, n);
            float scale = Scales.value(code);
            scales.put(block, (byte) code);
            for (int i = from; i < from + n; i++) {
                numbers.put(i, (byte) Fp8.encode(row[i] / scale));
            }
        }
        for (int i = plain; i < format.width(); i++) {
            numbers.putShort(plain + (i - plain) * Short.BYTES, bf16(row[i]));
        }
    }

    private static short bf16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (value != value) {
            return (short) (bits >>> 16 | 0x40);
        }
        return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
    }

    /** Reads the numbers of a row; those of INDEX_FP8 are still to be multiplied with {@link #scale}. */
    public void read(ByteBuffer numbers, ByteBuffer scales, float[] row) {
        switch (format.layout()) {
            case INDEX_FP8 -> {
                for (int i = 0; i < format.width(); i++) {
                    row[i] = Fp8.decode(numbers.get(i));
                }
            }
            case INDEX_MXFP4 -> {
                for (int i = 0; i < format.width(); i++) {
                    int code = numbers.get(i / 2) >> (i % 2 == 0 ? 0 : 4);
                    row[i] = Fp4.decode(code) * Scales.value(scales.get(i / PageFormat.MXFP4_BLOCK) & 255);
                }
            }
            case KV_FP8 -> readKeyValue(numbers, scales, row);
            case FP32, BF16 -> throw new IllegalArgumentException(format.layout() + " is plain");
        }
    }

    private void readKeyValue(ByteBuffer numbers, ByteBuffer scales, float[] row) {
        int plain = format.width() - format.rotated();
        for (int i = 0; i < plain; i++) {
            row[i] = Fp8.decode(numbers.get(i)) * Scales.value(scales.get(i / PageFormat.FP8_BLOCK) & 255);
        }
        for (int i = plain; i < format.width(); i++) {
            row[i] = Float.intBitsToFloat(numbers.getShort(plain + (i - plain) * Short.BYTES) << 16);
        }
    }

    /** What the numbers that {@link #read} gives are to be multiplied with: 1, but for INDEX_FP8. */
    public float scale(ByteBuffer scales) {
        return format.layout() == PageFormat.Layout.INDEX_FP8 ? scales.getFloat(0) : 1;
    }
}
