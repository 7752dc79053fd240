package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of {@code ./plumbline} that answer without a build, and what it says when tools are missing. */
class LauncherTest {
    private static final Path LAUNCHER = Path.of("plumbline").toAbsolutePath();

    @TempDir
    Path folder;

    @Test
    void helpListsEveryCommand() throws Exception {
        Outcome outcome = launch(LAUNCHER, Map.of(), "--help");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.output())
                .contains("serve", "chat", "sweep", "recall", "gate", "bench", "logits", "verify", "test", "help");
    }

    @Test
    void anUnknownCommandIsRefusedWithTheAllowedOnes() throws Exception {
        Outcome outcome = launch(LAUNCHER, Map.of(), "sweeep");

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.output()).contains("unknown command sweeep", "allowed: serve chat sweep recall gate");
    }

    @Test
    void packingNeedsAFileToWrite() throws Exception {
        Outcome outcome = launch(LAUNCHER, Map.of(), "pack-gpu", "--to", "x");

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.output()).contains("pack-gpu takes --out F.tar.xz");
    }

    @Test
    void thePacksLauncherNamesWhatItCanRunAndWhatItNeeds() throws Exception {
        Path pack = Path.of("src/pack/plumbline").toAbsolutePath();

        Outcome server = launch(pack, Map.of(), "serve");
        Outcome elsewhere = launch(pack, Map.of("TREE", folder.toString()), "verify");

        assertThat(server.status()).isEqualTo(2);
        assertThat(server.output())
                .contains("no command serve", "allowed: logits bench sweep recall gate verify gpu-check check");
        assertThat(elsewhere.status()).isEqualTo(2);
        assertThat(elsewhere.output()).contains("is not the source tree", "set TREE to it");
    }

    @Test
    void aMissingJdkIsNamedWithWhatToInstall() throws Exception {
        Outcome outcome =
                launch(copy(), Map.of("JAVA_HOME", folder.resolve("no-jdk").toString()), "sweep");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.output()).contains("no JDK found", "no-jdk/bin/javac", "JDK 17 or newer");
    }

    @Test
    void anOldJdkIsNamedWithItsVersion() throws Exception {
        Path javac = folder.resolve("old/bin/javac");
        Files.createDirectories(javac.getParent());
        Files.writeString(javac, "#!/bin/sh\necho javac 11.0.2\n");
        assertThat(javac.toFile().setExecutable(true)).isTrue();

        Outcome outcome =
                launch(copy(), Map.of("JAVA_HOME", folder.resolve("old").toString()), "sweep");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.output()).contains("is version 11", "JDK 17 or newer");
    }

    @Test
    void aFolderThatCannotBeWrittenIsNamed() throws Exception {
        Path launcher = copy();
        Files.createFile(folder.resolve("target"));

        Outcome outcome = launch(launcher, Map.of(), "sweep");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.output())
                .startsWith("plumbline: cannot write to ")
                .contains("/target, where the build goes");
    }

    @Test
    void whatStopsAGateBeforeItBeginsIsNoVerdict() throws Exception {
        Path launcher = copy();
        Path pack = Path.of("src/pack/plumbline").toAbsolutePath();

        Outcome noJdk =
                launch(launcher, Map.of("JAVA_HOME", folder.resolve("no-jdk").toString()), "gate");
        Outcome noTree = launch(pack, Map.of("TREE", folder.toString()), "gate");
        Files.createFile(folder.resolve("target"));
        Outcome noFolder = launch(launcher, Map.of(), "gate");

        assertThat(List.of(noJdk, noTree, noFolder)).extracting(Outcome::status).containsOnly(3);
        assertThat(noJdk.output()).contains("no JDK found");
    }

    /** A launcher in a folder where nothing has been built. */
    private Path copy() throws IOException {
        return Files.copy(LAUNCHER, folder.resolve("plumbline"), StandardCopyOption.COPY_ATTRIBUTES);
    }

    private Outcome launch(Path launcher, Map<String, String> environment, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", launcher.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }

    private record Outcome(int status, String output) {}
}
