package dev.plumbline.kernel.cuda;

import static org.bytedeco.cuda.global.cudart.CUDA_ERROR_NO_DEVICE;
import static org.bytedeco.cuda.global.cudart.CUDA_SUCCESS;
import static org.bytedeco.cuda.global.cudart.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static org.bytedeco.cuda.global.cudart.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
import static org.bytedeco.cuda.global.cudart.cuDeviceGetCount;
import static org.bytedeco.cuda.global.cudart.cuDriverGetVersion;
import static org.bytedeco.cuda.global.cudart.cuInit;
import static org.bytedeco.cuda.global.nvrtc.nvrtcGetNumSupportedArchs;
import static org.bytedeco.cuda.global.nvrtc.nvrtcGetSupportedArchs;

import dev.plumbline.kernel.KernelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out, once per process, whether there is a GPU that the kernels run on, and if not why, in one sentence. */
final class NvidiaProbe {
    private static final int OLDEST_DRIVER = 13_000;
    private static final int OLDEST_MAJOR = 8;
    private static final Pattern MISSING_LIBRARY =
            Pattern.compile("(lib[\\w+-]+\\.so[\\d.]*): cannot open shared object");

    private NvidiaProbe() {}

    /** The outcome of the one attempt: a device or the reason. */
    record Outcome(Device device, String reason) {}

    private static final class Attempt {
        static final Outcome OUTCOME = attempt();
    }

    /** The device, or why there is none. */
    static Outcome outcome() {
        return Attempt.OUTCOME;
    }

    /** Whether anything says that this machine has an NVIDIA driver; costs nothing. */
    static boolean driverSeen() {
        return Files.exists(Path.of("/dev/nvidiactl")) || Files.exists(Path.of("/dev/dxg"));
    }

    private static Outcome attempt() {
        String system = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        if (!system.toLowerCase(Locale.ROOT).equals("linux on amd64")) {
            return none("the backend 'cuda' needs Linux on amd64, this is " + system);
        }
        if (!driverSeen()) {
            return none("no NVIDIA driver is loaded here (there is no /dev/nvidiactl)");
        }
        try {
            return driver().or(NvidiaProbe::compiler).map(NvidiaProbe::none).orElseGet(() -> {
                Device device = new NvidiaDevice(0);
                return new Outcome(device, null);
            });
        } catch (LinkageError e) {
            return none(missingLibrary(e));
        } catch (KernelException e) {
            return none("the GPU cannot be used: " + e.getMessage());
        }
    }

    private static Outcome none(String reason) {
        return new Outcome(null, reason);
    }

    /** What is wrong with driver or GPU. */
    private static Optional<String> driver() {
        int[] value = new int[1];
        if (cuDriverGetVersion(value) == CUDA_SUCCESS && value[0] < OLDEST_DRIVER) {
            return Optional.of("the NVIDIA driver supports CUDA up to " + dotted(value[0]) + ", needed is "
                    + dotted(OLDEST_DRIVER) + " or newer (driver 580 and up)");
        }
        int result = cuInit(0);
        if (result == CUDA_ERROR_NO_DEVICE) {
            return Optional.of("the NVIDIA driver finds no GPU");
        }
        if (result != CUDA_SUCCESS) {
            return Optional.of("the NVIDIA driver does not start: " + Cuda.describe(result));
        }
        Cuda.check(cuDeviceGetCount(value), "cuDeviceGetCount");
        if (value[0] == 0) {
            return Optional.of("the NVIDIA driver finds no GPU");
        }
        int major = NvidiaDevice.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
        int minor = NvidiaDevice.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
        if (major < OLDEST_MAJOR) {
            return Optional.of("the GPU has compute capability " + major + "." + minor + ", needed is " + OLDEST_MAJOR
                    + ".0 or newer (Ampere and up)");
        }
        return Optional.empty();
    }

    /** Why the run-time compiler cannot serve this GPU. */
    private static Optional<String> compiler() {
        int[] count = new int[1];
        nvrtcGetNumSupportedArchs(count);
        int[] architectures = new int[count[0]];
        nvrtcGetSupportedArchs(architectures);
        int own = 10 * NvidiaDevice.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0)
                + NvidiaDevice.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
        if (Arrays.stream(architectures).noneMatch(known -> known == own)) {
            return Optional.of("CUDA's run-time compiler " + KernelCompiler.version() + " does not know this GPU (sm_"
                    + own + "); install a newer CUDA");
        }
        return Optional.empty();
    }

    /** The sentence for a library that could not be loaded. */
    static String missingLibrary(LinkageError e) {
        // The loader tells in a cause what the system's linker missed.
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            Matcher matcher = MISSING_LIBRARY.matcher(String.valueOf(cause.getMessage()));
            if (matcher.find()) {
                String library = matcher.group(1);
                return library.startsWith("libcuda.so")
                        ? "no NVIDIA driver was found (" + library + " is missing)"
                        : "CUDA 13 is not installed or not found (" + library
                                + " is missing; LD_LIBRARY_PATH names its folder)";
            }
        }
        return "CUDA's libraries cannot be loaded: " + e.getMessage();
    }

    /** 13000 as 13.0. */
    static String dotted(int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }
}
