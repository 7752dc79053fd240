package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenAI's client for Node: another reader of the same stream finds other faults. Skipped where there is no npm. */
class OpenAiNodeTest {
    private static final Path SOURCES = Path.of("src/test/js");
    private static final Path INSTALLED = Path.of("target/js");

    @Test
    void theClientForNodeWorks(@TempDir Path folder) throws Exception {
        String missing = install();
        System.out.print(missing.isEmpty() ? "" : "openai-node is not tested: " + missing + "\n");
        assumeTrue(missing.isEmpty(), missing);
        try (TestServer server = TestServer.serving(folder, 4, 8)) {
            Result run = run(List.of(
                    "node",
                    "client.mjs",
                    server.url() + "/v1",
                    TestServer.KEY,
                    server.target().name()));

            assertThat(run.status()).as(run.output()).isZero();
            assertThat(run.output())
                    .contains("ok chat", "ok stream", "ok helper", "ok logprobs", "ok errors", "ok abort");
            await().untilAsserted(
                            () -> assertThat(server.target().status().running()).isZero());
        }
    }

    /** Installs the pinned client; the reason if that is impossible here. */
    private static String install() throws IOException, InterruptedException {
        Files.createDirectories(INSTALLED);
        for (String file : List.of("package.json", "package-lock.json", "client.mjs")) {
            Files.copy(SOURCES.resolve(file), INSTALLED.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        try {
            Result npm = run(List.of("npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"));
            return npm.status() == 0 ? "" : "npm ci failed: " + npm.output();
        } catch (IOException e) {
            return "npm cannot be run: " + e.getMessage();
        }
    }

    private record Result(int status, String output) {}

    private static Result run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(INSTALLED, "run", ".log");
        Process process = new ProcessBuilder(command)
                .directory(INSTALLED.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(90, TimeUnit.SECONDS);
            return new Result(ended ? process.exitValue() : -1, Files.readString(output, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }
}
