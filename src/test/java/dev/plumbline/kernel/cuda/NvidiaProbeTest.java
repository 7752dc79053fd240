package dev.plumbline.kernel.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.kernel.KernelException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is said where there is no GPU to use. */
class NvidiaProbeTest {

    @Test
    void aMachineWithoutADriverIsToldSo() {
        assumeTrue(!Files.exists(Path.of("/dev/nvidiactl")), "this machine has an NVIDIA driver");

        assertThat(CudaKernels.driverSeen()).isEqualTo(Files.exists(Path.of("/dev/dxg")));
        assertThat(CudaKernels.unavailableReason())
                .hasValueSatisfying(reason -> assertThat(reason).containsAnyOf("NVIDIA driver", "libcuda"));
        assertThatThrownBy(CudaKernels::create)
                .isInstanceOf(KernelException.class)
                .hasMessage(CudaKernels.unavailableReason().orElseThrow());
    }

    @Test
    void aMissingLibraryIsNamedWithWhatBringsIt() {
        String driver = NvidiaProbe.missingLibrary(new UnsatisfiedLinkError(
                "/root/.javacpp/cache/libjnicudart.so: libcuda.so.1: cannot open shared object file: No such file"));
        UnsatisfiedLinkError wrapped = new UnsatisfiedLinkError("no jnicudart in java.library.path: /usr/lib");
        wrapped.initCause(
                new UnsatisfiedLinkError("libcuda.so.1: cannot open shared object file: No such file or directory"));
        String toolkit = NvidiaProbe.missingLibrary(new UnsatisfiedLinkError(
                "/root/.javacpp/cache/libjninvrtc.so: libnvrtc.so.13: cannot open shared object file: No such file"));

        assertThat(NvidiaProbe.missingLibrary(wrapped)).isEqualTo(driver);
        assertThat(driver).isEqualTo("no NVIDIA driver was found (libcuda.so.1 is missing)");
        assertThat(toolkit).contains("CUDA 13 is not installed", "libnvrtc.so.13", "LD_LIBRARY_PATH");
    }

    @Test
    void versionsAndArchitecturesAreSpelledAsNvidiaDoes() {
        assertThat(NvidiaProbe.dotted(12_040)).isEqualTo("12.4");
        assertThat(NvidiaProbe.dotted(13_000)).isEqualTo("13.0");
        assertThat(NvidiaDevice.architecture(8, 0)).isEqualTo("sm_80");
        assertThat(NvidiaDevice.architecture(9, 0)).isEqualTo("sm_90a");
        assertThat(NvidiaDevice.architecture(12, 0)).isEqualTo("sm_120");
    }
}
