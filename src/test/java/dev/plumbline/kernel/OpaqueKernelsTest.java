package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.kernel.reference.ReferenceKernels;
import org.junit.jupiter.api.Test;

/** With everything readable the opaque backend passes the kit, so it forwards every call faithfully. */
class OpaqueKernelsTest extends KernelsConformance {

    @Override
    public Kernels backend(int threads) {
        return new OpaqueKernels(new ReferenceKernels(threads), tensor -> true);
    }

    @Test
    void tensorsCannotBeReadByTheHost() {
        try (OpaqueKernels opaque = new OpaqueKernels(new ReferenceKernels(1))) {
            Tensor tensor = opaque.allocate(DType.FP32, 2, 2);
            Tensor ints = opaque.allocate(DType.INT32, 2);
            assertThatThrownBy(() -> opaque.download(tensor, 0, new float[4], 0, 4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("FP32[2, 2]");
            assertThatThrownBy(() -> opaque.download(ints.rows(0, 1), 0, new int[1], 0, 1))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(opaque.downloads()).isZero();
        }
    }

    @Test
    void aDeclaredTensorAndItsViewsCanBeRead() {
        try (OpaqueKernels opaque = new OpaqueKernels(new ReferenceKernels(1))) {
            Tensor ids = opaque.allocate(DType.INT32, 4);
            Tensor early = ids.rows(0, 2);
            opaque.allowDownload(ids);
            opaque.upload(new int[] {1, 2, 3, 4}, 0, 4, ids, 0);
            int[] read = new int[2];
            opaque.download(early, 0, read, 0, 2);
            assertThat(read).containsExactly(1, 2);
            opaque.download(ids.rows(2, 4), 0, read, 0, 2);
            assertThat(read).containsExactly(3, 4);
            assertThat(opaque.downloads()).isEqualTo(2);
        }
    }
}
