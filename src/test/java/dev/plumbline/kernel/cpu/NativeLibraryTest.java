package dev.plumbline.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
    private static final byte[] LIBRARY = {1, 2, 3};

    @TempDir
    Path folder;

    @Test
    void anAbsentLibraryIsExplainedInOneSentence() {
        assertThat(NativeLibrary.attempt("/native/none.so", List.of(folder))).hasValueSatisfying(reason -> {
            assertThat(reason).contains("g++").contains("reference").doesNotContain("\n");
        });
    }

    @Test
    void aLibraryThatCannotBeLoadedNamesEveryFolderAndTheFix() {
        Path other = folder.resolve("other");
        assertThat(NativeLibrary.attempt("/golden/v4-odd/config.json", List.of(folder, other)))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains(folder.toString(), other.toString(), "noexec", "-Djava.io.tmpdir="));
    }

    @Test
    void theCopyIsPrivateNamedByItsContentAndReused() throws IOException {
        Path first = NativeLibrary.extract(LIBRARY, folder);
        assertThat(first).hasBinaryContent(LIBRARY);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(first.getParent())))
                .isEqualTo("rwx------");
        assertThat(NativeLibrary.extract(LIBRARY, folder)).isEqualTo(first);
        assertThat(NativeLibrary.extract(new byte[] {4}, folder)).isNotEqualTo(first);
    }

    @Test
    void theLibrarysHashIsThatOfTheFileThatWasBuilt() throws Exception {
        assumeTrue(NativeLibrary.unavailableReason().isEmpty());
        Path built = Path.of("target/classes" + NativeLibrary.resource());
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(built));

        assertThat(NativeLibrary.code())
                .isEqualTo(Map.of("libplumbline_cpu.so", HexFormat.of().formatHex(hash)));
    }

    @Test
    void aDamagedCopyIsReplaced() throws IOException {
        Path first = NativeLibrary.extract(LIBRARY, folder);
        Files.write(first, new byte[] {9});
        assertThat(NativeLibrary.extract(LIBRARY, folder)).hasBinaryContent(LIBRARY);
    }

    @Test
    void aFolderThatOthersMayWriteIsRefused() throws IOException {
        Path copy = NativeLibrary.extract(LIBRARY, folder);
        Files.setPosixFilePermissions(copy.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> NativeLibrary.extract(LIBRARY, folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other users");
    }

    @Test
    void anUnknownInstructionSetIsRefusedWithTheAvailableOnes() {
        assumeTrue(CpuKernels.unavailableReason().isEmpty());
        assertThatThrownBy(() -> CpuKernels.create(1, "sse9"))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("sse9")
                .hasMessageContaining("plain");
    }

    @Test
    void bytesAreCountedUntilClosed() {
        assumeTrue(CpuKernels.unavailableReason().isEmpty());
        try (CpuKernels kernels = CpuKernels.create(1)) {
            Tensor tensor = kernels.allocate(DType.BF16, 3, 50);
            assertThat(kernels.allocatedBytes()).isEqualTo(300);
            tensor.close();
            tensor.close();
            assertThat(kernels.allocatedBytes()).isZero();
        }
    }
}
