package dev.plumbline.engine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cpu.CpuKernels;
import org.junit.jupiter.api.BeforeAll;

class CpuFlagParityTest extends FlagParityConformance {
    @BeforeAll
    static void available() {
        String missing = CpuKernels.unavailableReason().orElse(null);
        assumeTrue(missing == null, missing);
    }

    @Override
    Kernels backend(int threads) {
        return CpuKernels.create(threads);
    }
}
