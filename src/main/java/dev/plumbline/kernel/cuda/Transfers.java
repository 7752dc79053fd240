package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Tensor;
import java.nio.ByteBuffer;

/** Elements between arrays of the host and tensors, through the staging buffer. */
final class Transfers {
    private final CudaContext context;

    Transfers(CudaContext context) {
        this.context = context;
    }

    void upload(float[] source, int offset, int length, Tensor target, long at) {
        CudaTensor tensor = check("upload", source.length, offset, length, target, at, false);
        boolean bf16 = tensor.dtype() == DType.BF16;
        each(tensor, at, length, (staging, done, count) -> {
            if (bf16) {
                for (int i = 0; i < count; i++) {
                    staging.putShort(Short.BYTES * i, Bf16.round(source[offset + done + i]));
                }
            } else {
                staging.asFloatBuffer().put(source, offset + done, count);
            }
        });
    }

    void upload(int[] source, int offset, int length, Tensor target, long at) {
        CudaTensor tensor = check("upload", source.length, offset, length, target, at, true);
        each(tensor, at, length, (staging, done, count) -> staging.asIntBuffer().put(source, offset + done, count));
    }

    private interface Filler {
        void fill(ByteBuffer staging, int done, int count);
    }

    private void each(CudaTensor tensor, long at, int length, Filler filler) {
        int size = tensor.dtype().bytes();
        int most = context.staging().capacity() / size;
        for (int done = 0; done < length; done += most) {
            int count = Math.min(most, length - done);
            ByteBuffer staging = context.staging();
            filler.fill(staging, done, count);
            context.stream().toDevice(tensor.address() + (at + done) * size, staging, count * size);
        }
    }

    void download(Tensor source, long at, float[] target, int offset, int length) {
        CudaTensor tensor = check("download", target.length, offset, length, source, at, false);
        boolean bf16 = tensor.dtype() == DType.BF16;
        int most = context.staging().capacity() / tensor.dtype().bytes();
        int done = 0;
        do {
            int count = Math.min(most, length - done);
            ByteBuffer staging = read(tensor, at + done, count);
            if (bf16) {
                for (int i = 0; i < count; i++) {
                    target[offset + done + i] = Bf16.widen(staging.getShort(Short.BYTES * i));
                }
            } else {
                staging.asFloatBuffer().get(target, offset + done, count);
            }
            done += count;
        } while (done < length);
    }

    void download(Tensor source, long at, int[] target, int offset, int length) {
        CudaTensor tensor = check("download", target.length, offset, length, source, at, true);
        int most = context.staging().capacity() / Integer.BYTES;
        int done = 0;
        do {
            int count = Math.min(most, length - done);
            read(tensor, at + done, count).asIntBuffer().get(target, offset + done, count);
            done += count;
        } while (done < length);
    }

    /** Waits, also for nothing to read: the contract promises it. */
    private ByteBuffer read(CudaTensor tensor, long at, int count) {
        int size = tensor.dtype().bytes();
        ByteBuffer staging = context.staging();
        if (count > 0) {
            context.stream().toHost(staging, tensor.address() + at * size, count * size);
        }
        context.synchronize();
        return staging;
    }

    private CudaTensor check(
            String what, int arrayLength, int offset, int length, Tensor tensor, long at, boolean integers) {
        context.stream();
        if ((tensor.dtype() == DType.INT32) != integers) {
            throw new KernelException(what + ": tensor is " + tensor + ", array is of " + (integers ? "int" : "float"));
        }
        if (offset < 0 || length < 0 || offset > arrayLength - length) {
            throw new KernelException(what + ": elements " + offset + " to " + ((long) offset + length)
                    + " of an array of " + arrayLength);
        }
        if (at < 0 || at > tensor.elements() - length) {
            throw new KernelException(what + ": elements " + at + " to " + (at + length) + " of " + tensor);
        }
        return CudaTensor.of(tensor);
    }
}
