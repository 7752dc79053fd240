package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.DenseTensor;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Tensor;
import java.util.concurrent.atomic.AtomicLong;

/** A tensor in native memory, or a view of one. */
final class CpuTensor extends DenseTensor {
    private final NativeMemory memory;
    private final long offset;

    private CpuTensor(NativeMemory memory, DType dtype, Span span) {
        super(dtype, span);
        this.memory = memory;
        this.offset = span.start() * dtype.bytes();
    }

    static CpuTensor allocate(DType dtype, long[] shape, AtomicLong allocated) {
        Span span = Span.all(shape);
        return new CpuTensor(NativeMemory.allocate(span.bytes(dtype), allocated), dtype, span);
    }

    /** The tensor as one of this backend. */
    static CpuTensor of(Tensor tensor) {
        if (tensor instanceof CpuTensor own) {
            return own;
        }
        throw new KernelException("tensor of another backend: " + tensor);
    }

    NativeMemory memory() {
        return memory;
    }

    long address() {
        return memory.address() + offset;
    }

    @Override
    protected Tensor view(Span part) {
        return new CpuTensor(memory, dtype(), part);
    }

    @Override
    protected void free() {
        memory.close();
    }
}
