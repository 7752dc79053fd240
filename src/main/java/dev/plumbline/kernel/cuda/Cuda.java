package dev.plumbline.kernel.cuda;

import static org.bytedeco.cuda.global.cudart.CUDA_SUCCESS;
import static org.bytedeco.cuda.global.cudart.cuGetErrorName;
import static org.bytedeco.cuda.global.cudart.cuGetErrorString;

import dev.plumbline.kernel.KernelException;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerPointer;

/** Result codes of the driver API as exceptions. */
final class Cuda {
    private Cuda() {}

    /** Throws if a call failed. */
    static void check(int result, String call) {
        if (result != CUDA_SUCCESS) {
            throw new KernelException(call + ": " + describe(result));
        }
    }

    /** Name and meaning of a result code. */
    static String describe(int result) {
        try (PointerPointer<BytePointer> name = new PointerPointer<>(1);
                PointerPointer<BytePointer> meaning = new PointerPointer<>(1)) {
            if (cuGetErrorName(result, name) != CUDA_SUCCESS || cuGetErrorString(result, meaning) != CUDA_SUCCESS) {
                return "CUDA error " + result;
            }
            return new BytePointer(name.get(0)).getString() + " (" + new BytePointer(meaning.get(0)).getString() + ")";
        }
    }
}
