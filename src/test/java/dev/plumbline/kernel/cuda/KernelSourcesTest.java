package dev.plumbline.kernel.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The kernels' sources, and that a real compiler takes every variant for every architecture. */
class KernelSourcesTest {
    private static final Path SOURCES = Path.of("native/cuda");
    private static final Path COMPILED = Path.of("target/cuda-check");

    @Test
    void everySourceHasVariantsAndEveryHeaderIsHandedToTheCompiler() throws IOException {
        List<String> sources = KernelSources.variants().stream()
                .map(KernelSources.Variant::source)
                .distinct()
                .sorted()
                .toList();

        assertThat(sources).isEqualTo(files(".cu"));
        assertThat(KernelSources.HEADERS)
                .containsExactlyInAnyOrderElementsOf(
                        files(".cuh").stream().map(name -> name + ".cuh").toList());
        assertThat(KernelSources.read("common.cuh")).contains("struct Batch");
    }

    @Test
    void theReportsOfKernelsAreThoseThatTheHostKnows() {
        String codes = KernelSources.read("common.cuh");
        String listed = codes.substring(codes.indexOf("enum FaultCode {") + 16);
        listed = listed.substring(0, listed.indexOf('}'));

        assertThat(Stream.of(listed.split(",")).map(String::strip))
                .containsExactlyElementsOf(
                        Stream.of(Fault.values()).map(Fault::name).toList());
    }

    @Test
    void everyVariantCompilesForEveryArchitecture() throws Exception {
        boolean compiler = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "nvcc")));
        if (!compiler) {
            System.out.println("kernels are not compiled for GPUs here: there is no nvcc on the PATH");
        }
        assumeTrue(compiler, "there is no nvcc on the PATH");

        Process process = new ProcessBuilder("sh", SOURCES.resolve("check.sh").toString(), COMPILED.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes());

        assertThat(process.waitFor()).as(output).isZero();
    }

    private static List<String> files(String ending) throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(ending))
                    .map(name -> name.substring(0, name.length() - ending.length()))
                    .sorted()
                    .toList();
        }
    }
}
