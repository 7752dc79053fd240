package dev.plumbline.kernel.cuda;

import static org.bytedeco.cuda.global.nvrtc.NVRTC_SUCCESS;
import static org.bytedeco.cuda.global.nvrtc.nvrtcAddNameExpression;
import static org.bytedeco.cuda.global.nvrtc.nvrtcCompileProgram;
import static org.bytedeco.cuda.global.nvrtc.nvrtcCreateProgram;
import static org.bytedeco.cuda.global.nvrtc.nvrtcDestroyProgram;
import static org.bytedeco.cuda.global.nvrtc.nvrtcGetCUBIN;
import static org.bytedeco.cuda.global.nvrtc.nvrtcGetCUBINSize;
import static org.bytedeco.cuda.global.nvrtc.nvrtcGetErrorString;
import static org.bytedeco.cuda.global.nvrtc.nvrtcGetLoweredName;
import static org.bytedeco.cuda.global.nvrtc.nvrtcGetProgramLog;
import static org.bytedeco.cuda.global.nvrtc.nvrtcGetProgramLogSize;
import static org.bytedeco.cuda.global.nvrtc.nvrtcVersion;

import dev.plumbline.kernel.KernelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.cuda.nvrtc._nvrtcProgram;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.SizeTPointer;

/** Compiles one kernel variant for one architecture with NVRTC, or takes it from the cache. */
final class KernelCompiler {
    private final List<String> options;
    private final KernelCache cache;

    KernelCompiler(String architecture, KernelCache cache) {
        this.options =
                List.of("--gpu-architecture=" + architecture, "--std=c++17", "--fmad=false", "--generate-line-info");
        this.cache = cache;
    }

    /** Version of the compiler, such as 13.0. */
    static String version() {
        int[] major = new int[1];
        int[] minor = new int[1];
        check(nvrtcVersion(major, minor), "nvrtcVersion");
        return major[0] + "." + minor[0];
    }

    /** A variant as an object for the device. */
    KernelCache.Entry compile(String source, String expression) {
        String text = KernelSources.read(source + ".cu");
        List<String> headers =
                KernelSources.HEADERS.stream().map(KernelSources::read).toList();
        List<String> decisive = new ArrayList<>(options);
        decisive.add(version());
        decisive.add(expression);
        decisive.add(text);
        decisive.addAll(headers);
        String key = KernelCache.key(decisive.toArray(String[]::new));
        return cache.find(key).orElseGet(() -> {
            KernelCache.Entry made = compile(source, text, headers, expression);
            cache.keep(key, made);
            return made;
        });
    }

    private KernelCache.Entry compile(String source, String text, List<String> headers, String expression) {
        PointerScope scope = new PointerScope();
        try {
            _nvrtcProgram program = new _nvrtcProgram();
            check(
                    nvrtcCreateProgram(
                            program,
                            new BytePointer(text),
                            new BytePointer(source + ".cu"),
                            headers.size(),
                            strings(headers),
                            strings(KernelSources.HEADERS)),
                    "nvrtcCreateProgram");
            try {
                check(nvrtcAddNameExpression(program, new BytePointer(expression)), "nvrtcAddNameExpression");
                int result = nvrtcCompileProgram(program, options.size(), strings(options));
                if (result != NVRTC_SUCCESS) {
                    throw new KernelException("the kernel " + expression + " did not compile: " + log(program));
                }
                return new KernelCache.Entry(loweredName(program, expression), object(program));
            } finally {
                nvrtcDestroyProgram(program);
            }
        } finally {
            scope.close();
        }
    }

    private static PointerPointer<BytePointer> strings(List<String> values) {
        PointerPointer<BytePointer> pointers = new PointerPointer<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            pointers.put(i, new BytePointer(values.get(i)));
        }
        return pointers;
    }

    private static String loweredName(_nvrtcProgram program, String expression) {
        PointerPointer<BytePointer> name = new PointerPointer<>(1);
        check(nvrtcGetLoweredName(program, new BytePointer(expression), name), "nvrtcGetLoweredName");
        return new BytePointer(name.get(0)).getString(StandardCharsets.UTF_8);
    }

    private static byte[] object(_nvrtcProgram program) {
        SizeTPointer size = new SizeTPointer(1);
        check(nvrtcGetCUBINSize(program, size), "nvrtcGetCUBINSize");
        byte[] object = new byte[Math.toIntExact(size.get())];
        check(nvrtcGetCUBIN(program, object), "nvrtcGetCUBIN");
        return object;
    }

    private static String log(_nvrtcProgram program) {
        SizeTPointer size = new SizeTPointer(1);
        check(nvrtcGetProgramLogSize(program, size), "nvrtcGetProgramLogSize");
        BytePointer text = new BytePointer(Math.max(1, size.get()));
        check(nvrtcGetProgramLog(program, text), "nvrtcGetProgramLog");
        return text.getString(StandardCharsets.UTF_8);
    }

    private static void check(int result, String call) {
        if (result != NVRTC_SUCCESS) {
            throw new KernelException(call + ": " + nvrtcGetErrorString(result).getString());
        }
    }
}
