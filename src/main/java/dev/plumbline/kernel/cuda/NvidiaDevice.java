package dev.plumbline.kernel.cuda;

import static org.bytedeco.cuda.global.cudart.CUDA_ERROR_OUT_OF_MEMORY;
import static org.bytedeco.cuda.global.cudart.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static org.bytedeco.cuda.global.cudart.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
import static org.bytedeco.cuda.global.cudart.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
import static org.bytedeco.cuda.global.cudart.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
import static org.bytedeco.cuda.global.cudart.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
import static org.bytedeco.cuda.global.cudart.cuCtxSetCurrent;
import static org.bytedeco.cuda.global.cudart.cuDeviceGet;
import static org.bytedeco.cuda.global.cudart.cuDeviceGetAttribute;
import static org.bytedeco.cuda.global.cudart.cuDeviceGetName;
import static org.bytedeco.cuda.global.cudart.cuDevicePrimaryCtxRetain;
import static org.bytedeco.cuda.global.cudart.cuDriverGetVersion;
import static org.bytedeco.cuda.global.cudart.cuFuncGetAttribute;
import static org.bytedeco.cuda.global.cudart.cuFuncSetAttribute;
import static org.bytedeco.cuda.global.cudart.cuMemAlloc;
import static org.bytedeco.cuda.global.cudart.cuMemFree;
import static org.bytedeco.cuda.global.cudart.cuMemGetInfo;
import static org.bytedeco.cuda.global.cudart.cuModuleGetFunction;
import static org.bytedeco.cuda.global.cudart.cuModuleLoadData;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.cuda.cudart.CUctx_st;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.SizeTPointer;

/** An NVIDIA GPU through the driver API, in the process's primary context. Kernels are compiled and loaded once. */
final class NvidiaDevice implements Device {
    /** What is kept for static shared memory: more than any kernel that also takes dynamic holds. */
    private static final int STATIC_SHARED = 4096;

    private static final int LONGEST_NAME = 256;

    private final CUctx_st cuda = new CUctx_st();
    private final String name;
    private final String architecture;
    private final String driver;
    private final int sharedLimit;
    private final KernelCompiler compiler;
    private final Map<String, NvidiaFunction> functions = new HashMap<>();
    /** Compiled but not loaded yet. */
    private final Map<String, KernelCache.Entry> ahead = new ConcurrentHashMap<>();

    private final ThreadLocal<Boolean> bound = ThreadLocal.withInitial(() -> false);

    /** A kernel in the context. */
    record NvidiaFunction(String expression, CUfunc_st handle, CUmod_st module, String hash)
            implements DeviceFunction {}

    /** The GPU of that ordinal; {@link NvidiaProbe} has found it usable. */
    NvidiaDevice(int ordinal) {
        int[] device = new int[1];
        Cuda.check(cuDeviceGet(device, ordinal), "cuDeviceGet");
        byte[] text = new byte[LONGEST_NAME];
        Cuda.check(cuDeviceGetName(text, text.length, device[0]), "cuDeviceGetName");
        name = new String(text, StandardCharsets.UTF_8).trim().replace("\0", "");
        architecture = architecture(
                attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device[0]),
                attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device[0]));
        sharedLimit = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device[0]) - STATIC_SHARED;
        int[] version = new int[1];
        Cuda.check(cuDriverGetVersion(version), "cuDriverGetVersion");
        driver = NvidiaProbe.dotted(version[0]);
        Cuda.check(cuDevicePrimaryCtxRetain(cuda, device[0]), "cuDevicePrimaryCtxRetain");
        compiler = new KernelCompiler(
                architecture,
                new KernelCache(KernelCache.standardFolder(System.getenv(), System.getProperty("user.home"))));
    }

    static int attribute(int attribute, int device) {
        int[] value = new int[1];
        Cuda.check(cuDeviceGetAttribute(value, attribute, device), "cuDeviceGetAttribute");
        return value[0];
    }

    /** The compiler's name of an architecture; Hopper's own instructions need the letter. */
    static String architecture(int major, int minor) {
        return "sm_" + major + minor + (major == 9 && minor == 0 ? "a" : "");
    }

    /** Makes the context current on this thread. */
    void bind() {
        if (!bound.get()) {
            Cuda.check(cuCtxSetCurrent(cuda), "cuCtxSetCurrent");
            bound.set(true);
        }
    }

    @Override
    public String description() {
        return "CUDA kernels for " + architecture + " on " + name + ", driver for CUDA " + driver;
    }

    @Override
    public String architecture() {
        return architecture;
    }

    @Override
    public int sharedLimit() {
        return sharedLimit;
    }

    @Override
    public long totalBytes() {
        return memory()[1];
    }

    @Override
    public long freeBytes() {
        return memory()[0];
    }

    private long[] memory() {
        bind();
        try (SizeTPointer free = new SizeTPointer(1);
                SizeTPointer total = new SizeTPointer(1)) {
            Cuda.check(cuMemGetInfo(free, total), "cuMemGetInfo");
            return new long[] {free.get(), total.get()};
        }
    }

    @Override
    public long allocate(long bytes) {
        bind();
        long[] address = new long[1];
        int result = cuMemAlloc(address, bytes);
        if (result == CUDA_ERROR_OUT_OF_MEMORY) {
            return 0;
        }
        Cuda.check(result, "cuMemAlloc of " + bytes + " bytes");
        return address[0];
    }

    @Override
    public void free(long address, long bytes) {
        bind();
        // Waits for what was launched. A context that failed has nothing left to free.
        cuMemFree(address);
    }

    @Override
    public synchronized NvidiaFunction function(String source, String expression) {
        NvidiaFunction known = functions.get(expression);
        if (known == null) {
            bind();
            known = load(source, expression);
            functions.put(expression, known);
        }
        return known;
    }

    @Override
    public synchronized Map<String, String> code() {
        Map<String, String> code = new TreeMap<>();
        functions.forEach((expression, function) -> code.put(expression, function.hash()));
        return code;
    }

    /** Needs no context: whatever the device does meanwhile is not held up. */
    @Override
    public void compile(String source, String expression) {
        if (!loaded(expression)) {
            ahead.computeIfAbsent(expression, missing -> compiler.compile(source, missing));
        }
    }

    private synchronized boolean loaded(String expression) {
        return functions.containsKey(expression);
    }

    private NvidiaFunction load(String source, String expression) {
        KernelCache.Entry early = ahead.remove(expression);
        KernelCache.Entry compiled = early == null ? compiler.compile(source, expression) : early;
        CUmod_st module = new CUmod_st();
        CUfunc_st function = new CUfunc_st();
        try (BytePointer object = new BytePointer(compiled.object())) {
            Cuda.check(cuModuleLoadData(module, object), "cuModuleLoadData of " + expression);
        }
        Cuda.check(cuModuleGetFunction(function, module, compiled.name()), "cuModuleGetFunction of " + expression);
        Cuda.check(
                cuFuncSetAttribute(
                        function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, dynamicShared(function, expression)),
                "cuFuncSetAttribute of " + expression);
        return new NvidiaFunction(expression, function, module, compiled.hash());
    }

    /** Static and dynamic shared memory share one limit, and only the compiler knows what a kernel holds of the first. */
    private int dynamicShared(CUfunc_st function, String expression) {
        int[] held = new int[1];
        Cuda.check(
                cuFuncGetAttribute(held, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function),
                "cuFuncGetAttribute of " + expression);
        return Math.max(0, Math.min(sharedLimit, sharedLimit + STATIC_SHARED - held[0]));
    }

    @Override
    public DeviceStream openStream() {
        bind();
        return new NvidiaStream(this);
    }
}
