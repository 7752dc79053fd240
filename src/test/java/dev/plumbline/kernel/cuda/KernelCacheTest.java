package dev.plumbline.kernel.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiled kernels on disk. */
class KernelCacheTest {
    private static final String KEY = KernelCache.key("source", "option");
    private static final KernelCache.Entry ENTRY = new KernelCache.Entry("_Z5embedIfEv", new byte[] {1, 2, 3, -1});

    @TempDir
    Path parent;

    @Test
    void aKernelsHashIsThatOfItsObjectAlone() {
        assertThat(ENTRY.hash())
                .hasSize(64)
                .isEqualTo(new KernelCache.Entry("other", ENTRY.object()).hash())
                .isNotEqualTo(new KernelCache.Entry("_Z5embedIfEv", new byte[] {1, 2, 3}).hash());
    }

    @Test
    void aKeptKernelIsFoundAgain() throws IOException {
        KernelCache cache = new KernelCache(folder());
        assertThat(cache.find(KEY)).isEmpty();

        cache.keep(KEY, ENTRY);

        assertThat(cache.find(KEY)).hasValueSatisfying(found -> {
            assertThat(found.name()).isEqualTo(ENTRY.name());
            assertThat(found.object()).isEqualTo(ENTRY.object());
        });
        assertThat(cache.find(KernelCache.key("source", "other"))).isEmpty();
        try (Stream<Path> files = Files.list(folder())) {
            assertThat(files).as("files, partial ones included").hasSize(1);
        }
    }

    @Test
    void aDamagedFileIsNotUsed() throws IOException {
        KernelCache cache = new KernelCache(folder());
        cache.keep(KEY, ENTRY);
        Path file = folder().resolve(KEY + ".cubin");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;

        Files.write(file, bytes);
        assertThat(cache.find(KEY)).as("a changed byte").isEmpty();
        Files.write(file, new byte[10]);
        assertThat(cache.find(KEY)).as("a cut file").isEmpty();

        cache.keep(KEY, ENTRY);
        assertThat(cache.find(KEY)).as("kept again").isPresent();
    }

    @Test
    void aFolderThatOthersMayWriteIsNotUsed() throws IOException {
        KernelCache cache = new KernelCache(folder());
        cache.keep(KEY, ENTRY);

        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(cache.find(KEY)).isEmpty();
    }

    @Test
    void partsOfAKeyDoNotRunIntoEachOther() {
        assertThat(KernelCache.key("ab", "c")).isNotEqualTo(KernelCache.key("a", "bc"));
    }

    @Test
    void theFolderLiesInTheUsersCache() {
        assertThat(KernelCache.standardFolder(Map.of(), "/home/a")).isEqualTo(Path.of("/home/a/.cache/plumbline/cuda"));
        assertThat(KernelCache.standardFolder(Map.of("XDG_CACHE_HOME", "/c"), "/home/a"))
                .isEqualTo(Path.of("/c/plumbline/cuda"));
    }

    private Path folder() {
        return parent.resolve("deep").resolve("cuda");
    }
}
