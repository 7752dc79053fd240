package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelChecks;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.Variant;
import dev.plumbline.precision.PageFormat;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A native context with its threads, and what every kernel call needs: addresses of the arguments, kept reachable until
 * the next call, and the outcome as a variant or an exception.
 */
final class CpuContext implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int MOST_ARGUMENTS = 32;

    private final String isa;
    private final Cleaner.Cleanable cleanable;
    private final AtomicLong allocated = new AtomicLong();
    private final Variants variants = new Variants();
    private final Object[] held = new Object[MOST_ARGUMENTS];
    private int holding;
    private long handle;

    CpuContext(int threads, String isa) {
        NativeLibrary.require();
        long created;
        try {
            created = Native.createContext(threads, isa);
        } catch (IllegalArgumentException e) {
            throw new KernelException("the backend 'cpu' did not start: " + e.getMessage(), e);
        }
        this.handle = created;
        this.isa = Native.isa(created);
        this.cleanable = CLEANER.register(this, () -> Native.destroyContext(created));
    }

    String isa() {
        return isa;
    }

    AtomicLong allocated() {
        return allocated;
    }

    /** Address of the context, at the start of a call. */
    long call() {
        if (handle == 0) {
            throw new KernelException("the backend 'cpu' was closed and then used");
        }
        holding = 0;
        return handle;
    }

    /** Address of the tensor of a transfer, which has been checked. */
    long transfer(String what, DType array, int arrayLength, int offset, int length, Tensor tensor, long at) {
        call();
        KernelChecks.transfer(what, array, arrayLength, offset, length, tensor, at);
        return address(tensor);
    }

    /** Address of the elements of a tensor, which stays allocated until the next call. */
    long address(Tensor tensor) {
        CpuTensor own = CpuTensor.of(tensor);
        hold(own.memory());
        return own.address();
    }

    /** The same, 0 for null. */
    long addressOrNull(Tensor tensor) {
        return tensor == null ? 0 : address(tensor);
    }

    long address(LinearWeight weight) {
        hold(weight);
        return CpuLinearWeight.address(weight, isa);
    }

    long[] addresses(List<? extends LinearWeight> weights) {
        hold(weights);
        return CpuLinearWeight.addresses(weights, isa);
    }

    private void hold(Object object) {
        held[holding++ % MOST_ARGUMENTS] = object;
    }

    /** The fields of {@code pl_batch}. */
    long[] batch(Batch batch) {
        return new long[] {
            batch.rows(),
            batch.sequences(),
            batch.maxContext(),
            address(batch.tokens()),
            address(batch.positions()),
            address(batch.sequenceOf()),
            address(batch.firstRow()),
            address(batch.slots()),
            address(batch.stages())
        };
    }

    /** The fields of {@code pl_pool}. */
    long[] pool(Pool pool) {
        PageFormat format = pool.format();
        return new long[] {
            address(pool.data()),
            pool.pages(),
            format.layout().ordinal(),
            format.rows(),
            format.width(),
            format.rotated(),
            format.bytes()
        };
    }

    /** The variant that a kernel reported, or its failure. */
    Variant variant(long result) {
        if (result == Native.NO_ARRAY) {
            throw new KernelException("the system has no memory to pass an array of weights");
        }
        if (result < 0) {
            throw new KernelException(Native.error(handle));
        }
        return variants.of(result);
    }

    /** Throws if a call that is no kernel failed: 0 is success. */
    static void done(long status, String what) {
        if (status != 0) {
            throw new KernelException(what
                    + (status == Native.NO_ARRAY
                            ? ": the system has no memory to pass the array"
                            : ": the native library refused with code " + status));
        }
    }

    @Override
    public void close() {
        handle = 0;
        cleanable.clean();
    }
}
