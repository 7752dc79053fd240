package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Matrix;
import dev.plumbline.kernel.WeightSource;
import java.nio.ByteBuffer;

/** A matrix by rows, each padded with zeros to whole steps of the kernels' loop over the inputs. */
final class CudaLinearWeight extends Matrix {
    private static final int FP32_STEP = 16;
    private static final int BF16_STEP = 32;

    private final long stride;
    private final CudaMemory memory;

    CudaLinearWeight(CudaContext context, WeightSource source, int outputs, int inputs, DType form) {
        super(outputs, inputs, form);
        int step = form == DType.FP32 ? FP32_STEP : BF16_STEP;
        this.stride = ((long) inputs + step - 1) / step * step;
        this.memory = context.ledger().allocate("linearWeight: a matrix [" + outputs + ", " + inputs + "]", bytes());
        try {
            fill(context, source);
        } catch (RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    private void fill(CudaContext context, WeightSource source) {
        long rowBytes = stride * form().bytes();
        int capacity = context.staging().capacity();
        if (rowBytes > capacity) {
            throw new KernelException("linearWeight: a row of " + inputs() + " inputs has " + rowBytes
                    + " bytes, allowed on this backend: up to " + capacity);
        }
        int rowsAtOnce = (int) Math.min(outputs(), capacity / rowBytes);
        float[] piece = new float[Math.multiplyExact(rowsAtOnce, inputs())];
        float[] padding = new float[(int) stride - inputs()];
        for (int row = 0; row < outputs(); row += rowsAtOnce) {
            int rows = Math.min(rowsAtOnce, outputs() - row);
            source.read((long) row * inputs(), piece, 0, rows * inputs());
            ByteBuffer staging = context.staging();
            for (int r = 0; r < rows; r++) {
                put(piece, r * inputs(), inputs(), form(), staging, (int) (r * rowBytes));
                put(padding, 0, padding.length, form(), staging, (int) (r * rowBytes) + inputs() * form().bytes());
            }
            context.stream().toDevice(memory.address() + row * rowBytes, staging, (int) (rows * rowBytes));
        }
    }

    /** Puts floats into a buffer in a type, from byte {@code at} on. */
    private static void put(float[] source, int from, int length, DType type, ByteBuffer target, int at) {
        for (int i = 0; i < length; i++) {
            if (type == DType.FP32) {
                target.putFloat(at + Float.BYTES * i, source[from + i]);
            } else {
                target.putShort(at + Short.BYTES * i, Bf16.round(source[from + i]));
            }
        }
    }

    /** The weight as one of this backend. */
    static CudaLinearWeight of(LinearWeight weight) {
        if (weight instanceof CudaLinearWeight own) {
            return own;
        }
        throw new KernelException("weight of another backend: " + weight);
    }

    long address() {
        return memory.address();
    }

    /** Elements from one row to the next. */
    long stride() {
        return stride;
    }

    @Override
    public long bytes() {
        return outputs() * stride * form().bytes();
    }

    @Override
    public void close() {
        memory.close();
    }
}
