package dev.plumbline.kernel.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The memory of the backend cuda: counted, bounded, given back. */
class EmulatedMemoryTest {
    @BeforeAll
    static void available() {
        String missing = EmulatedDevice.unavailableReason().orElse(null);
        assumeTrue(missing == null, missing);
    }

    @Test
    void whatDoesNotFitTheBudgetIsRefusedWithTheArithmetic() {
        try (CudaKernels kernels = EmulatedDevice.kernels(10_000)) {
            long own = kernels.allocatedBytes();
            Tensor first = kernels.allocate(DType.FP32, 2000);

            assertThatThrownBy(() -> kernels.allocate(DType.FP32, 25, 20))
                    .isInstanceOf(KernelException.class)
                    .hasMessage("allocate: a tensor FP32[25, 20] needs 2000 bytes; of the budget of 10000 bytes "
                            + (own + 8000) + " are held, " + (2000 - own) + " are left");
            assertThatThrownBy(() -> kernels.linearWeight((from, to, at, n) -> {}, 40, 20, DType.FP32))
                    .hasMessageContaining("linearWeight: a matrix [40, 20] needs 5120 bytes");

            first.close();
            assertThat(kernels.allocatedBytes()).isEqualTo(own);
            kernels.allocate(DType.FP32, 25, 20).close();
        }
    }

    @Test
    void everythingIsGivenBackAtTheEnd() {
        CudaKernels kernels = EmulatedDevice.kernels();
        Tensor tensor = kernels.allocate(DType.BF16, 3, 5);
        LinearWeight weight = kernels.linearWeight((from, to, at, n) -> {}, 4, 4, DType.BF16);
        assertThat(weight.bytes()).isEqualTo(4 * 32 * 2);
        assertThat(kernels.allocatedBytes()).isGreaterThanOrEqualTo(30 + 256);

        kernels.close();

        assertThat(kernels.allocatedBytes()).isZero();
        assertThatThrownBy(() -> kernels.allocate(DType.FP32, 1))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> CudaTensor.of(tensor).address())
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("closed and then used");
    }

    @Test
    void aReportNamesItsLaunch() {
        try (CudaKernels kernels = EmulatedDevice.kernels()) {
            Tensor x = kernels.allocate(DType.FP32, 4, 3);
            Tensor rows = kernels.allocate(DType.INT32, 2);
            Tensor out = kernels.allocate(DType.FP32, 2, 3);
            kernels.gatherRows(x, rows, out);
            kernels.upload(new int[] {0, 7}, 0, 2, rows, 0);
            kernels.gatherRows(x, rows, out);
            kernels.swiglu(kernels.allocate(DType.FP32, 1, 2), 1, kernels.allocate(DType.FP32, 1, 1));

            assertThatThrownBy(kernels::synchronize)
                    .isInstanceOf(KernelException.class)
                    .hasMessage("gatherRows: rows[1] is 7, allowed: 0 to 3 (launch 2)");
            kernels.synchronize();
        }
    }
}
