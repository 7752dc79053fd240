package dev.plumbline.recall.remote;

import java.io.OutputStream;
import java.util.function.IntConsumer;

/** Takes bytes for 32-bit integers, lowest byte first, whatever pieces they come in. */
final class TopkIds extends OutputStream {
    private static final int LAST = Integer.BYTES - 1;

    private final IntConsumer ids;
    private int bits;
    private int have;

    TopkIds(IntConsumer ids) {
        this.ids = ids;
    }

    @Override
    public void write(int value) {
        bits |= (value & 0xFF) << (have * Byte.SIZE);
        if (have < LAST) {
            have++;
            return;
        }
        int id = bits;
        bits = 0;
        have = 0;
        ids.accept(id);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        for (int i = from; i < from + length; i++) {
            write(bytes[i]);
        }
    }

    /** Whether the last integer is complete. */
    boolean complete() {
        return have == 0;
    }
}
