package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.KernelException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;

/**
 * One backend on a device: its stream, its memory, and the record in which kernels report wrong arguments, looked at
 * whenever the host waits.
 */
final class CudaContext implements AutoCloseable {
    private static final int STAGING_BYTES = 1 << 22;
    private static final int FAULT_BYTES = 48;

    /** Working memory of launches that outlives them; grows, never shrinks. */
    enum Scratch {
        EXPERT_PLACES,
        EXPERT_TILES,
        EXPERT_GATE_UP,
        EXPERT_HIDDEN,
        EXPERT_RESULTS,
        SORT_PAIRS,
        RUNNING_SUMS,
        TAKEN
    }

    private final Device device;
    private final MemoryLedger ledger;
    private final DeviceStream stream;
    private final CudaMemory fault;
    private final ByteBuffer faultHost = direct(FAULT_BYTES);
    private final ByteBuffer staging = direct(STAGING_BYTES);
    private final Map<Scratch, CudaMemory> scratch = new EnumMap<>(Scratch.class);
    private final Map<Scratch, Long> scratchBytes = new EnumMap<>(Scratch.class);
    private long scratchGeneration;
    private boolean closed;

    CudaContext(Device device, long budget) {
        this.device = device;
        this.ledger = new MemoryLedger(device, budget);
        this.stream = device.openStream();
        try {
            this.fault = ledger.allocate("the backend's record of faults", FAULT_BYTES);
            stream.zero(fault.address(), FAULT_BYTES);
        } catch (RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    Device device() {
        return device;
    }

    MemoryLedger ledger() {
        return ledger;
    }

    long faultAddress() {
        return fault.address();
    }

    /** The stream, at the start of a call. */
    DeviceStream stream() {
        if (closed) {
            throw new KernelException("the backend 'cuda' was closed and then used");
        }
        return stream;
    }

    /** A host buffer for one transfer at a time. */
    ByteBuffer staging() {
        return staging.clear();
    }

    /** Address of at least that much scratch; it may hold anything. */
    long scratch(Scratch name, long bytes) {
        if (scratchBytes.getOrDefault(name, 0L) < bytes) {
            CudaMemory larger = ledger.allocate("scratch memory " + name, bytes);
            CudaMemory old = scratch.put(name, larger);
            scratchBytes.put(name, bytes);
            scratchGeneration++;
            if (old != null) {
                stream.synchronize();
                old.close();
            }
        }
        return scratch.get(name).address();
    }

    /** Changes whenever an address of scratch memory did. */
    long scratchGeneration() {
        return scratchGeneration;
    }

    /** Waits, and throws what a kernel reported or the device failed with. */
    void synchronize() {
        DeviceStream own = stream();
        own.toHost(faultHost, fault.address(), FAULT_BYTES);
        own.synchronize();
        if (faultHost.getInt(0) != 0) {
            KernelException failure = reported();
            own.zero(fault.address(), FAULT_BYTES);
            own.synchronize();
            throw failure;
        }
    }

    private KernelException reported() {
        Fault kind = Fault.values()[faultHost.getInt(4)];
        long number = faultHost.getLong(8);
        String sentence = kind.describe(
                faultHost.getLong(16), faultHost.getLong(24), faultHost.getLong(32), faultHost.getLong(40));
        return new KernelException(
                Kernel.of(number).title() + ": " + sentence + " (launch " + Kernel.launchOf(number) + ")");
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                stream.synchronize();
            } catch (KernelException broken) {
                // The memory is given back all the same; whoever waited for the work has heard of its failure.
            }
            ledger.freeAll();
            stream.close();
        }
    }
}
