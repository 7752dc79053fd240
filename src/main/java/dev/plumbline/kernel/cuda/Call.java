package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.Variant;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Puts the arguments of one launch together, in the order of the kernel's parameters, and launches it. One object serves
 * every launch of a backend; what a launch reads stays reachable until the next one.
 */
final class Call {
    private static final int MOST_SLOTS = 64;
    private static final int MOST_BLOCKS_YZ = 65_535;
    private static final int WARP = 32;
    private static final int SORT_THREADS = 512;

    private final CudaContext context;
    private final ByteBuffer slots = CudaContext.direct(MOST_SLOTS * Long.BYTES);
    private final int[] offsets = new int[MOST_SLOTS];
    private final Object[] held = new Object[MOST_SLOTS];
    private final Map<String, DeviceFunction> functions = new HashMap<>();
    private final Map<String, Variant> variants = new HashMap<>();
    private Kernel kernel;
    private DeviceFunction function;
    private int used;
    private int arguments;
    private long launches;

    Call(CudaContext context) {
        this.context = context;
    }

    /** Begins a launch of a variant. */
    Call of(Kernel contract, String source, String expression) {
        context.stream();
        kernel = contract;
        function = functions.get(expression);
        if (function == null) {
            function = context.device().function(source, expression);
            functions.put(expression, function);
        }
        used = 0;
        arguments = 0;
        return this;
    }

    /** Begins an argument of several slots, a struct. */
    Call struct() {
        offsets[arguments++] = used;
        return this;
    }

    /** The next slot of a struct. */
    Call slot(long value) {
        held[used] = null;
        slots.putLong(used++ * Long.BYTES, value);
        return this;
    }

    /** The next slot of a struct: where a tensor starts, or null. */
    Call slot(Tensor tensor) {
        if (tensor == null) {
            return slot(0);
        }
        CudaTensor own = CudaTensor.of(tensor);
        slot(own.address());
        held[used - 1] = own.memory();
        return this;
    }

    /** Where kernels report, and the number of this launch. */
    Call launch() {
        return struct().slot(context.faultAddress()).slot(kernel.number(launches + 1));
    }

    Call number(long value) {
        return struct().slot(value);
    }

    Call real(float value) {
        return struct().slot(Integer.toUnsignedLong(Float.floatToRawIntBits(value)));
    }

    /** A tensor's address; null is the null pointer. */
    Call tensor(Tensor tensor) {
        return struct().slot(tensor);
    }

    Call batch(Batch batch) {
        return struct().slot(batch.rows())
                .slot(batch.sequences())
                .slot(batch.maxContext())
                .slot(batch.tokens())
                .slot(batch.positions())
                .slot(batch.sequenceOf())
                .slot(batch.firstRow())
                .slot(batch.slots());
    }

    /** The struct Pages. */
    Call pages(Tensor table, Tensor pool) {
        return struct().slot(table).slot(table.dim(1)).slot(pool.dim(0));
    }

    /** The struct Pool. */
    Call pool(Pool pool) {
        return struct().poolSlots(pool);
    }

    /** The slots of a Pool inside another struct. */
    Call poolSlots(Pool pool) {
        return slot(pool.data())
                .slot(pool.pages())
                .slot(pool.format().rows())
                .slot(pool.format().width())
                .slot(pool.format().rotated());
    }

    /** Launches one block along each axis for every unit; no units, no launch. */
    void run(long x, long y, long z, int threads, long dynamicShared) {
        if (x == 0 || y == 0 || z == 0) {
            return;
        }
        if (x > Integer.MAX_VALUE || y > MOST_BLOCKS_YZ || z > MOST_BLOCKS_YZ) {
            throw new KernelException(kernel.title() + ": " + x + " x " + y + " x " + z
                    + " blocks, allowed on this backend: up to " + Integer.MAX_VALUE + " x " + MOST_BLOCKS_YZ + " x "
                    + MOST_BLOCKS_YZ);
        }
        int limit = context.device().sharedLimit();
        if (dynamicShared > limit) {
            throw new KernelException(kernel.title() + ": these sizes need " + dynamicShared
                    + " bytes of shared memory a block, this device has " + limit);
        }
        launches++;
        context.stream()
                .launch(
                        function,
                        new DeviceStream.Shape((int) x, (int) y, (int) z, threads),
                        (int) dynamicShared,
                        slots,
                        offsets,
                        arguments);
    }

    /** A thread an element. */
    void runOver(long elements, int threads) {
        run((elements + threads - 1) / threads, 1, 1, threads, 0);
    }

    /** The variant of a kernel and an arithmetic on this device, such as linear.bf16.sm_90a. */
    Variant variant(String kernelAndArithmetic) {
        return variants.computeIfAbsent(
                kernelAndArithmetic,
                name -> new Variant(name + "." + context.device().architecture()));
    }

    /** Whole warps for that many elements of a row, at most the largest block. */
    static int threadsFor(long elements) {
        return (int) Math.max(WARP, Math.min(SORT_THREADS, (elements + WARP - 1) / WARP * WARP));
    }

    /** Name expression of a kernel for the type of a tensor. */
    static String typed(String kernel, Tensor tensor) {
        return kernel + (tensor.dtype() == DType.BF16 ? "<bf16>" : "<float>");
    }

    /** Name of a kernel and the type of a tensor. */
    static String named(String kernel, Tensor tensor) {
        return kernel + (tensor.dtype() == DType.BF16 ? ".bf16" : ".fp32");
    }
}
