package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.DenseTensor;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Tensor;
import java.util.Arrays;

/** A tensor in device memory, or a view of one. */
final class CudaTensor extends DenseTensor {
    private final CudaMemory memory;
    private final long offset;

    private CudaTensor(CudaMemory memory, DType dtype, Span span) {
        super(dtype, span);
        this.memory = memory;
        this.offset = span.start() * dtype.bytes();
    }

    static CudaTensor allocate(DType dtype, long[] shape, MemoryLedger ledger) {
        Span span = Span.all(shape);
        String what = "allocate: a tensor " + dtype + Arrays.toString(shape);
        return new CudaTensor(ledger.allocate(what, span.bytes(dtype)), dtype, span);
    }

    /** The tensor as one of this backend. */
    static CudaTensor of(Tensor tensor) {
        if (tensor instanceof CudaTensor own) {
            return own;
        }
        throw new KernelException("tensor of another backend: " + tensor);
    }

    CudaMemory memory() {
        return memory;
    }

    long address() {
        return memory.address() + offset;
    }

    @Override
    protected Tensor view(Span part) {
        return new CudaTensor(memory, dtype(), part);
    }

    @Override
    protected void free() {
        memory.close();
    }
}
