package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelChecks;
import dev.plumbline.kernel.Tensor;
import java.nio.ByteBuffer;

/** Elements between arrays of the host and tensors, through the staging buffer. */
final class Transfers {
    private final CudaContext context;

    Transfers(CudaContext context) {
        this.context = context;
    }

    void upload(float[] source, int offset, int length, Tensor target, long at) {
        CudaTensor tensor = check("upload", DType.FP32, source.length, offset, length, target, at);
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
        CudaTensor tensor = check("upload", DType.INT32, source.length, offset, length, target, at);
        each(tensor, at, length, (staging, done, count) -> staging.asIntBuffer().put(source, offset + done, count));
    }

    void upload(byte[] source, int offset, int length, Tensor target, long at) {
        CudaTensor tensor = check("upload", DType.BYTE, source.length, offset, length, target, at);
        each(tensor, at, length, (staging, done, count) -> staging.put(0, source, offset + done, count));
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
        CudaTensor tensor = check("download", DType.FP32, target.length, offset, length, source, at);
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
        CudaTensor tensor = check("download", DType.INT32, target.length, offset, length, source, at);
        int most = context.staging().capacity() / Integer.BYTES;
        int done = 0;
        do {
            int count = Math.min(most, length - done);
            read(tensor, at + done, count).asIntBuffer().get(target, offset + done, count);
            done += count;
        } while (done < length);
    }

    void download(Tensor source, long at, byte[] target, int offset, int length) {
        CudaTensor tensor = check("download", DType.BYTE, target.length, offset, length, source, at);
        int most = context.staging().capacity();
        int done = 0;
        do {
            int count = Math.min(most, length - done);
            read(tensor, at + done, count).get(0, target, offset + done, count);
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
            String what, DType array, int arrayLength, int offset, int length, Tensor tensor, long at) {
        context.stream();
        KernelChecks.transfer(what, array, arrayLength, offset, length, tensor, at);
        return CudaTensor.of(tensor);
    }
}
