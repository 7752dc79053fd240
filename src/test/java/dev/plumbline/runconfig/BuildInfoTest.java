package dev.plumbline.runconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build writes down about its sources. */
class BuildInfoTest {
    private static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    @TempDir
    Path folder;

    @Test
    void changedNewAndDeletedFilesAreListedWithTheirHashes() throws Exception {
        Path script = folder.resolve("src/build/build-info.sh");
        Files.createDirectories(script.getParent());
        Files.createDirectories(folder.resolve("src/main"));
        Files.copy(Path.of("src/build/build-info.sh"), script, StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(folder.resolve("pom.xml"), "a");
        Files.writeString(folder.resolve("src/main/gone"), "b");
        Files.writeString(folder.resolve("README"), "no source");
        run(
                "git init -q . && git -c user.name=t -c user.email=t@t add . && git -c user.name=t -c user.email=t@t commit -qm t");
        assertThat(build().modified()).isEmpty();

        Files.writeString(folder.resolve("pom.xml"), "");
        Files.delete(folder.resolve("src/main/gone"));
        Files.writeString(folder.resolve("src/main/new file ä"), "");
        Files.writeString(folder.resolve("README"), "changed");
        BuildInfo info = build();

        assertThat(info.commit()).matches("[0-9a-f]{40}");
        assertThat(info.modified())
                .containsOnly(
                        java.util.Map.entry("pom.xml", EMPTY),
                        java.util.Map.entry("src/main/gone", "deleted"),
                        java.util.Map.entry("src/main/new file ä", EMPTY));
    }

    @Test
    void outsideARepositoryNothingIsClaimed() throws Exception {
        Path script = folder.resolve("src/build/build-info.sh");
        Files.createDirectories(script.getParent());
        Files.copy(Path.of("src/build/build-info.sh"), script);
        BuildInfo info = build();

        assertThat(info.commit()).isEqualTo("unknown");
        assertThat(info.modified()).isNull();
    }

    private BuildInfo build() throws Exception {
        run("sh src/build/build-info.sh");
        List<String> lines = Files.readAllLines(folder.resolve("target/classes/build-info.txt"));
        return BuildInfo.of("dev", lines);
    }

    private void run(String command) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }
}
