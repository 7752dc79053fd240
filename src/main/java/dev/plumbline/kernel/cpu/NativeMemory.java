package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.KernelException;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

/** Memory outside the Java heap: zeroed, freed by {@link #close()} or, if that was forgotten, after collection. */
final class NativeMemory {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Release release;
    private final Cleaner.Cleanable cleanable;
    private volatile long address;

    private NativeMemory(long address, Release release) {
        this.address = address;
        this.release = release;
        this.cleanable = CLEANER.register(this, release);
    }

    /** What frees the memory; must not refer to the object that is watched. */
    private record Release(Runnable free, long bytes, AtomicLong allocated) implements Runnable {
        @Override
        public void run() {
            free.run();
            allocated.addAndGet(-bytes);
        }
    }

    /** Memory of a tensor; {@code allocated} counts its bytes while it lives. */
    static NativeMemory allocate(long bytes, AtomicLong allocated) {
        long address = Native.allocate(bytes);
        if (address == 0) {
            throw new KernelException("allocate: the system has no " + bytes + " bytes");
        }
        return adopt(address, bytes, () -> Native.free(address, bytes), allocated);
    }

    /** Memory that somebody else allocated. */
    static NativeMemory adopt(long address, long bytes, Runnable free, AtomicLong allocated) {
        allocated.addAndGet(bytes);
        return new NativeMemory(address, new Release(free, bytes, allocated));
    }

    /**
     * The address of the memory.
     *
     * @throws KernelException if it was closed
     */
    long address() {
        long current = address;
        if (current == 0) {
            throw new KernelException("memory of " + release.bytes() + " bytes was closed and then used");
        }
        return current;
    }

    void close() {
        address = 0;
        cleanable.clean();
    }
}
