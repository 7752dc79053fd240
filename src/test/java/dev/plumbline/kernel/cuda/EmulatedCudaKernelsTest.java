package dev.plumbline.kernel.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.KernelsConformance;
import org.junit.jupiter.api.BeforeAll;

/** The conformance kit on the CUDA kernels, emulated. */
class EmulatedCudaKernelsTest extends KernelsConformance {
    @BeforeAll
    static void available() {
        String missing = EmulatedDevice.unavailableReason().orElse(null);
        assumeTrue(missing == null, missing);
    }

    @Override
    public Kernels backend(int threads) {
        return EmulatedDevice.kernels();
    }
}
