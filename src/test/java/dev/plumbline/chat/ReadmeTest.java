package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of the README as they stand there, with another base URL and key only. */
class ReadmeTest {
    private static final String SECRET = "ZEBRA-4492-OMEGA";

    @TempDir
    Path folder;

    @Test
    void theJavaSnippetRuns() throws Exception {
        try (TestServer server = TestServer.embedded()) {
            String code = adapted(block("java", 0), server);
            String imports =
                    code.lines().filter(line -> line.startsWith("import ")).reduce("", (a, b) -> a + b + "\n");
            String rest =
                    code.lines().filter(line -> !line.startsWith("import ")).reduce("", (a, b) -> a + b + "\n");
            Path source = Files.writeString(
                    folder.resolve("Snippet.java"),
                    imports + "class Snippet { public static void main(String[] a) {\n" + rest + "}}\n");
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();

            assertThat(run(List.of(
                            java,
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            source.toString())))
                    .contains(SECRET);
        }
    }

    @Test
    void thePythonSnippetRuns() throws Exception {
        assumeTrue(
                run(List.of("sh", "-c", "python3 -c 'import openai' 2>&1 && echo found"))
                        .contains("found"),
                "needs OpenAI's client for Python: pip install openai");
        try (TestServer server = TestServer.embedded()) {
            Path source = Files.writeString(folder.resolve("snippet.py"), adapted(block("python", 0), server));

            assertThat(run(List.of("python3", source.toString()))).contains(SECRET);
        }
    }

    @Test
    void aConversationGoesOnAfterARestart() throws Exception {
        String before = block("sh", "conversation-id", 0);
        String after = block("sh", "conversation-id", 1);
        try (TestServer server = TestServer.embedded()) {
            run(List.of("bash", "-c", "cd " + folder + "\n" + adapted(before, server)));
        }
        try (TestServer server = TestServer.embedded()) {
            assertThat(run(List.of("bash", "-c", "cd " + folder + "\n" + adapted(after, server))))
                    .contains(SECRET);
        }
    }

    @Test
    void aNeedleThatASettingLosesIsExplainedAndComesBack() throws Exception {
        String prepare = block("sh", "question.json", 0);
        // and after the switch a look at the stream, which must not have ended before
        String ask = block("sh", "fp8-index/activate", 0)
                .replace("> activation.json\nask\ncall", "> activation.json\ngrep DONE stream.txt || true\nask\ncall");
        try (TestServer server = TestServer.embedded("needle-mini-cone")) {
            String said = run(List.of("bash", "-ec", "cd " + folder + "\n" + adapted(prepare + ask, server)));

            assertThat(said.lines().filter(line -> line.contains("run_config")))
                    .containsExactly(
                            "\"content\":\"" + SECRET + "\" \"run_config\":\"baseline@1\"",
                            "\"content\":\"not in the text\" \"run_config\":\"fp8-index@1\"",
                            "\"content\":\"" + SECRET + "\" \"run_config\":\"baseline@1\"",
                            "the stream: \"run_config\":\"baseline@1\"");
            assertThat(said).doesNotContain("DONE");
            assertThat(Files.readString(folder.resolve("stream.txt"))).endsWith("data: [DONE]\n\n");
            List<String> traces =
                    said.lines().filter(line -> line.contains("rank")).toList();
            assertThat(traces.subList(0, 3)).allMatch(line -> line.endsWith("\"rank\":1"));
            assertThat(traces.subList(3, 6)).allMatch(line -> line.contains("\"selected\":0,"));
            assertThat(traces.subList(6, 9)).isEqualTo(traces.subList(0, 3));
        }
    }

    @Test
    void oneCommandGatesAConfig() throws Exception {
        // given the program as a command in this folder
        Path command = Files.writeString(
                folder.resolve("plumbline"),
                "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -cp '"
                        + System.getProperty("java.class.path") + "' dev.plumbline.cli.Main \"$@\"\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();

        // when
        String snippet = block("sh", "plumbline gate", 0);
        String said = run(List.of("bash", "-c", "cd " + folder + "\n" + snippet));

        // then
        assertThat(said).contains("REGRESSION: At 512 tokens ", "; on fresh seeds ", "\nexit status 1\n");
        assertThat(Files.readString(folder.resolve("gate.md"))).startsWith("# REGRESSION: ");
    }

    private static String adapted(String code, TestServer server) {
        return code.replace("http://127.0.0.1:8000", server.url()).replace("first-minute", TestServer.KEY);
    }

    private static String block(String language, int index) throws IOException {
        return block(language, "", index);
    }

    private static String block(String language, String with, int index) throws IOException {
        return Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("README.md")))
                .results()
                .map((MatchResult block) -> block.group(1))
                .filter(code -> code.contains(with))
                .skip(index)
                .findFirst()
                .orElseThrow();
    }

    private String run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        return said;
    }
}
