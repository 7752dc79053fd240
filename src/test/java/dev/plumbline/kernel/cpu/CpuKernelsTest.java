package dev.plumbline.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.KernelsConformance;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The conformance kit on every instruction set; those that this machine lacks are skipped. */
class CpuKernelsTest {

    static void assumeAvailable(String isa) {
        String missing = CpuKernels.unavailableReason().orElse(null);
        assumeTrue(missing == null, missing);
        assumeTrue(
                CpuKernels.availableIsas().contains(isa),
                () -> "this machine has " + CpuKernels.availableIsas() + ", not " + isa);
    }

    @Test
    void rowsThatTheLibraryDoesNotPackAreReported() {
        assumeAvailable("plain");
        long context = Native.createContext(1, "plain");
        long weight = Native.createWeight(context, DType.FP32.ordinal(), 2, 3);
        try {
            CpuContext.done(Native.fillWeight(context, weight, 1, 1, new float[3]), "linearWeight");
            assertThatThrownBy(() ->
                            CpuContext.done(Native.fillWeight(context, weight, 2, 1, new float[3]), "linearWeight"))
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("linearWeight");
        } finally {
            Native.destroyWeight(weight);
            Native.destroyContext(context);
        }
        assertThatThrownBy(() -> CpuContext.done(Native.NO_ARRAY, "upload"))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("upload")
                .hasMessageContaining("memory");
    }

    @Nested
    class Plain extends KernelsConformance {
        @BeforeAll
        static void available() {
            assumeAvailable("plain");
        }

        @Override
        public Kernels backend(int threads) {
            return CpuKernels.create(threads, "plain");
        }
    }

    @Nested
    class Avx2 extends KernelsConformance {
        @BeforeAll
        static void available() {
            assumeAvailable("avx2");
        }

        @Override
        public Kernels backend(int threads) {
            return CpuKernels.create(threads, "avx2");
        }
    }

    @Nested
    class Avx512 extends KernelsConformance {
        @BeforeAll
        static void available() {
            assumeAvailable("avx512");
        }

        @Override
        public Kernels backend(int threads) {
            return CpuKernels.create(threads, "avx512");
        }
    }

    @Nested
    class Avx512Bf16 extends KernelsConformance {
        @BeforeAll
        static void available() {
            assumeAvailable("avx512bf16");
        }

        @Override
        public Kernels backend(int threads) {
            return CpuKernels.create(threads, "avx512bf16");
        }
    }

    @Nested
    class Amx extends KernelsConformance {
        @BeforeAll
        static void available() {
            assumeAvailable("amx");
        }

        @Override
        public Kernels backend(int threads) {
            return CpuKernels.create(threads, "amx");
        }
    }
}
