package dev.plumbline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What no compiler checks about the source files. */
class SourceRulesTest {
    private static final int MOST_LINES = 500;
    private static final Path MAIN = Path.of("src/main/java/dev/plumbline");

    @Test
    void everyPackageSaysWhatItIsFor() throws IOException {
        try (Stream<Path> folders = Files.walk(MAIN)) {
            assertThat(folders.filter(Files::isDirectory).filter(SourceRulesTest::holdsClasses))
                    .allSatisfy(folder -> assertThat(folder.resolve("package-info.java"))
                            .as("the purpose of %s", folder)
                            .isRegularFile());
        }
    }

    @Test
    void noSourceFileIsTooLongToReadAtOnce() {
        assertThat(sources())
                .allSatisfy(
                        file -> assertThat(lines(file)).as("lines of %s", file).hasSizeLessThanOrEqualTo(MOST_LINES));
    }

    @Test
    void numbersAreWrittenTheSameInEveryCountry() {
        assertThat(walk(MAIN).filter(Files::isRegularFile))
                .allSatisfy(file -> assertThat(String.join("\n", lines(file)))
                        .as("String.format with Locale.ROOT in %s", file)
                        .doesNotContainPattern("String\\.format\\(\\s*+(?!Locale\\.ROOT)|\\.formatted\\("));
    }

    private static List<Path> sources() {
        return Stream.of("src/main/java", "src/test/java", "native")
                .map(Path::of)
                .filter(Files::isDirectory)
                .flatMap(SourceRulesTest::walk)
                .filter(file -> file.toString().matches(".*\\.(java|cpp|h|cu|cuh)"))
                .toList();
    }

    private static boolean holdsClasses(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> walk(Path folder) {
        try {
            return Files.walk(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
