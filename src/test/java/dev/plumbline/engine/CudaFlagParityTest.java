package dev.plumbline.engine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cuda.CudaKernels;

/** Every flag value on this machine's GPU; skipped where there is none. */
public class CudaFlagParityTest extends FlagParityConformance {
    @Override
    Kernels backend(int threads) {
        // Before all tests of the kit, which opens the backend once.
        String missing = CudaKernels.unavailableReason().orElse(null);
        assumeTrue(missing == null, missing);
        return CudaKernels.create();
    }
}
