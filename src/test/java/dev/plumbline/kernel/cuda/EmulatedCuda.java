package dev.plumbline.kernel.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The backend cuda without a GPU, for tests of what stands on it. */
public final class EmulatedCuda {
    private EmulatedCuda() {}

    /** A backend whose kernels run on the host; skips the test where they cannot be compiled. */
    public static CudaKernels kernels() {
        String missing = EmulatedDevice.unavailableReason().orElse(null);
        assumeTrue(missing == null, missing);
        return EmulatedDevice.kernels();
    }
}
