package dev.plumbline.engine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cuda.CudaKernels;
import org.junit.jupiter.api.BeforeAll;

/** Every flag value on this machine's GPU; skipped where there is none. */
public class CudaFlagParityTest extends FlagParityConformance {
    @BeforeAll
    static void available() {
        String missing = CudaKernels.unavailableReason().orElse(null);
        assumeTrue(missing == null, missing);
    }

    @Override
    Kernels backend(int threads) {
        return CudaKernels.create();
    }
}
