package dev.plumbline.kernel.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The backend cuda without a GPU, for tests of what stands on it. */
public final class EmulatedCuda {
    private EmulatedCuda() {}

    /** Hears of the variants that a device is asked for. */
    public interface Watch {
        /** A variant is compiled ahead, by the thread that calls. */
        void compiled(String expression);

        /** A variant is loaded, by the thread that calls. */
        void loaded(String expression);
    }

    /** The same, watched. */
    public static CudaKernels kernels(Watch watch) {
        String missing = EmulatedDevice.unavailableReason().orElse(null);
        assumeTrue(missing == null, missing);
        return new CudaKernels(new WatchedDevice(new EmulatedDevice(), watch), Long.MAX_VALUE);
    }

    /** A backend whose kernels run on the host; skips the test where they cannot be compiled. */
    public static CudaKernels kernels() {
        String missing = EmulatedDevice.unavailableReason().orElse(null);
        assumeTrue(missing == null, missing);
        return EmulatedDevice.kernels();
    }
}
