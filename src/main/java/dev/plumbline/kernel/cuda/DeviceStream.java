package dev.plumbline.kernel.cuda;

import java.nio.ByteBuffer;

/** Work in order. Everything is enqueued and may run later; one thread at a time uses a stream. */
interface DeviceStream extends AutoCloseable {

    /** Writes zeros. */
    void zero(long address, long bytes);

    /** Copies the first {@code bytes} of a direct buffer, which may be changed as soon as this returns. */
    void toDevice(long target, ByteBuffer source, int bytes);

    /** Copies to the start of a direct buffer, which holds the bytes after {@link #synchronize}. */
    void toHost(ByteBuffer target, long source, int bytes);

    /**
     * Launches a kernel.
     *
     * @param slots the arguments, in slots of 8 bytes
     * @param offsets first slot of each argument
     * @param count number of arguments
     */
    void launch(DeviceFunction function, Shape shape, int dynamicShared, ByteBuffer slots, int[] offsets, int count);

    /** Waits for everything enqueued so far. */
    void synchronize();

    /** Launches from here on are recorded instead of run. */
    void beginCapture();

    /** Ends the recording and forgets it. */
    void abandonCapture();

    /** Ends the recording and makes it repeatable. */
    DeviceGraph endCapture();

    @Override
    void close();

    /** Blocks of a launch along three axes, and threads of a block. */
    record Shape(int x, int y, int z, int threads) {}
}
