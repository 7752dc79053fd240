package dev.plumbline.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of any size mapped for reading. Java 17 maps at most 2 GiB at once, so the file is mapped in windows that
 * overlap by the widest element: an element never straddles two of them.
 *
 * <p>Closing drops the windows; the address range goes when the collector has run. Unmapping at once would crash a
 * reader that is still inside.
 */
final class MappedFile implements AutoCloseable {
    static final long WINDOW = 1L << 30;
    private static final int OVERLAP = 8;

    private final Path path;
    private final long size;
    private final long window;
    private volatile ByteBuffer[] windows;

    private MappedFile(Path path, long size, long window, ByteBuffer[] windows) {
        this.path = path;
        this.size = size;
        this.window = window;
        this.windows = windows;
    }

    static MappedFile open(Path path, long window) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = channel.size();
            ByteBuffer[] windows = new ByteBuffer[(int) ((size + window - 1) / window)];
            for (int i = 0; i < windows.length; i++) {
                long from = i * window;
                windows[i] = channel.map(FileChannel.MapMode.READ_ONLY, from, Math.min(window + OVERLAP, size - from));
            }
            return new MappedFile(path, size, window, windows);
        }
    }

    Path path() {
        return path;
    }

    long size() {
        return size;
    }

    /**
     * The bytes from an offset on, little-endian, positioned at their start: as many as one window holds, at least
     * {@code width} of them and at most {@code atMost}, a multiple of {@code width}.
     */
    ByteBuffer at(long offset, int width, long atMost) {
        ByteBuffer[] open = windows;
        if (open == null) {
            throw new IllegalStateException(path.getFileName() + " is closed");
        }
        ByteBuffer whole = open[(int) (offset / window)];
        int from = (int) (offset % window);
        int length = (int) Math.min(whole.capacity() - from, atMost);
        return whole.slice(from, length - length % width).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        windows = null;
    }
}
