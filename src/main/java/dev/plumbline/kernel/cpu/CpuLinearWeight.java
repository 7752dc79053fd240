package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.WeightSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A matrix packed into panels for one instruction set. */
final class CpuLinearWeight implements LinearWeight {
    private static final int PIECE = 1 << 18;

    private final String isa;
    private final int outputs;
    private final int inputs;
    private final DType form;
    private final long bytes;
    private final NativeMemory handle;

    CpuLinearWeight(
            long context, String isa, WeightSource source, int outputs, int inputs, DType form, AtomicLong allocated) {
        if (outputs < 1 || inputs < 1) {
            throw new KernelException(
                    "linearWeight: matrix is [" + outputs + ", " + inputs + "], expected at least [1, 1]");
        }
        if (form != DType.FP32 && form != DType.BF16) {
            throw new KernelException("linearWeight: form is " + form + ", expected FP32 or BF16");
        }
        this.isa = isa;
        this.outputs = outputs;
        this.inputs = inputs;
        this.form = form;
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
        int rowsAtOnce = Math.max(1, Math.min(outputs, PIECE / inputs));
        float[] piece = new float[Math.multiplyExact(rowsAtOnce, inputs)];
        for (int row = 0; row < outputs; row += rowsAtOnce) {
            int rows = Math.min(rowsAtOnce, outputs - row);
            source.read((long) row * inputs, piece, 0, rows * inputs);
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
    public int outputs() {
        return outputs;
    }

    @Override
    public int inputs() {
        return inputs;
    }

    @Override
    public DType form() {
        return form;
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
