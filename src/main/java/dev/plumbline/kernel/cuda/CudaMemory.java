package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.KernelException;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;

/** Device memory: freed by {@link #close()}, with its ledger, or, if both were forgotten, after collection. */
final class CudaMemory {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Release release;
    private final Cleaner.Cleanable cleanable;
    private volatile long address;

    CudaMemory(Device device, MemoryLedger ledger, long address, long bytes) {
        this.address = address;
        this.release = new Release(device, ledger, address, bytes, new AtomicBoolean());
        ledger.add(release);
        this.cleanable = CLEANER.register(this, release);
    }

    /** What frees the memory, once; must not refer to the object that is watched. */
    record Release(Device device, MemoryLedger ledger, long address, long bytes, AtomicBoolean done)
            implements Runnable {
        @Override
        public void run() {
            if (done.compareAndSet(false, true)) {
                device.free(address, bytes);
                ledger.remove(this);
            }
        }
    }

    /**
     * The address of the memory.
     *
     * @throws KernelException if it was closed
     */
    long address() {
        long current = address;
        if (current == 0 || release.done().get()) {
            throw new KernelException("memory of " + release.bytes() + " bytes was closed and then used");
        }
        return current;
    }

    void close() {
        address = 0;
        cleanable.clean();
    }
}
