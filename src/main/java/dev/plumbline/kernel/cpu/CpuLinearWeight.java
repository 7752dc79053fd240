package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Matrix;
import dev.plumbline.kernel.WeightSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A matrix packed into panels for one instruction set. */
final class CpuLinearWeight extends Matrix {
    private static final int PIECE = 1 << 18;

    private final String isa;
    private final long bytes;
    private final NativeMemory handle;

    CpuLinearWeight(
            long context, String isa, WeightSource source, int outputs, int inputs, DType form, AtomicLong allocated) {
        super(outputs, inputs, form);
        this.isa = isa;
        long address = Native.createWeight(context, form.ordinal(), outputs, inputs);
        if (address == 0) {
            throw new KernelException(
                    "linearWeight: the system has no memory for a matrix [" + outputs + ", " + inputs + "]");
        }
        this.bytes = Native.weightBytes(address);
        this.handle = NativeMemory.adopt(address, bytes, () -> Native.destroyWeight(address), allocated);
        try {
            fill(context, source);
        } catch (RuntimeException e) {
            handle.close();
            throw e;
        }
    }

    private void fill(long context, WeightSource source) {
        int rowsAtOnce = Math.max(1, Math.min(outputs(), PIECE / inputs()));
        float[] piece = new float[Math.multiplyExact(rowsAtOnce, inputs())];
        for (int row = 0; row < outputs(); row += rowsAtOnce) {
            int rows = Math.min(rowsAtOnce, outputs() - row);
            source.read((long) row * inputs(), piece, 0, rows * inputs());
            CpuContext.done(Native.fillWeight(context, handle.address(), row, rows, piece), "linearWeight");
        }
    }

    /** Address of a weight that was packed for the same instruction set. */
    static long address(LinearWeight weight, String isa) {
        if (!(weight instanceof CpuLinearWeight own)) {
            throw new KernelException("weight of another backend: " + weight);
        }
        if (!own.isa.equals(isa)) {
            throw new KernelException("weight packed for " + own.isa + " used with " + isa);
        }
        return own.handle.address();
    }

    static long[] addresses(List<? extends LinearWeight> weights, String isa) {
        long[] addresses = new long[weights.size()];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = address(weights.get(i), isa);
        }
        return addresses;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        handle.close();
    }
}
