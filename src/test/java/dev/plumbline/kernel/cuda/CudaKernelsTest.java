package dev.plumbline.kernel.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.KernelsConformance;
import dev.plumbline.kernel.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The conformance kit on this machine's GPU; skipped where there is none. */
public class CudaKernelsTest extends KernelsConformance {
    @BeforeAll
    static void available() {
        String missing = CudaKernels.unavailableReason().orElse(null);
        assumeTrue(missing == null, missing);
    }

    @Override
    public Kernels backend(int threads) {
        return CudaKernels.create();
    }

    @Test
    void moreMemoryThanTheDeviceHasIsRefusedWithTheArithmetic() {
        try (CudaKernels kernels = CudaKernels.create()) {
            long before = kernels.allocatedBytes();
            assertThatThrownBy(() -> kernels.allocate(DType.FP32, 1L << 40))
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("FP32[1099511627776] needs 4398046511104 bytes")
                    .hasMessageContaining("bytes free")
                    .hasMessageContaining("this backend holds " + before);
            Tensor small = kernels.allocate(DType.FP32, 1000);
            assertThat(kernels.allocatedBytes()).isEqualTo(before + 4000);
            small.close();
            assertThat(kernels.allocatedBytes()).isEqualTo(before);
        }
    }
}
