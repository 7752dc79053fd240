package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.KernelException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a backend holds on its device, refuses what does not fit, and frees everything at the end. */
final class MemoryLedger {
    private final Device device;
    private final long budget;
    private final Set<CudaMemory.Release> live = ConcurrentHashMap.newKeySet();
    private final AtomicLong allocated = new AtomicLong();

    /** {@code budget}: most bytes to hold. */
    MemoryLedger(Device device, long budget) {
        this.device = device;
        this.budget = budget;
    }

    /** Memory for {@code what}, or a refusal with the arithmetic. */
    CudaMemory allocate(String what, long bytes) {
        long held = allocated.get();
        if (bytes > budget - held) {
            throw new KernelException(what + " needs " + bytes + " bytes; of the budget of " + budget + " bytes " + held
                    + " are held, " + (budget - held) + " are left");
        }
        long address = device.allocate(Math.max(1, bytes));
        if (address == 0) {
            throw new KernelException(what + " needs " + bytes + " bytes; the device has " + device.freeBytes()
                    + " of its " + device.totalBytes() + " bytes free, this backend holds " + held);
        }
        return new CudaMemory(device, this, address, Math.max(1, bytes));
    }

    void add(CudaMemory.Release release) {
        live.add(release);
        allocated.addAndGet(release.bytes());
    }

    void remove(CudaMemory.Release release) {
        live.remove(release);
        allocated.addAndGet(-release.bytes());
    }

    /** Bytes held now. */
    long allocatedBytes() {
        return allocated.get();
    }

    void freeAll() {
        List.copyOf(live).forEach(CudaMemory.Release::run);
    }
}
