package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.model.TinyModel;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as processes: what they print, how they end. */
class ServeAndChatTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Pattern READY =
            Pattern.compile("Ready: (http://127\\.0\\.0\\.1:\\d+)/v1 serves (\\S+) on reference");
    private static final Pattern KEY = Pattern.compile("API key: (pl-\\S+)");

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void servesAnswersInTheTerminalAndEndsOnSigterm() throws Exception {
        Path model = TinyModel.write(Files.createDirectory(folder.resolve("tiny")));
        Process server = start("", serve(model));
        await().atMost(PATIENCE).until(() -> READY.matcher(output(server)).find());
        String url = group(READY, output(server));
        String key = group(KEY, output(server));

        assertThat(output(server).lines()).hasSize(4);
        assertThat(output(server)).contains("First start", "Login: admin  password: ");
        asksInTheTerminal(url, key);
        refusalsAreOneSentence(url, key, model);
        theDataFolderHasOneOwner(server, model);
        endsOnSigterm(server, url, key);
        theAdministratorIsResetOnRequestAndNeverShownAgain(server, model);
    }

    private String[] serve(Path model) {
        String data = folder.resolve("data").toString();
        return new String[] {
            "serve", "--model", model.toString(), "--backend", "reference", "--port", "0", "--data", data
        };
    }

    private void theDataFolderHasOneOwner(Process server, Path model) throws Exception {
        Process second = start("key", serve(model));

        assertRefused(second, folder.resolve("data").toString(), "in use by process " + server.pid(), "--data");
        Process reset =
                start("", "reset-admin", "--data", folder.resolve("data").toString());
        assertRefused(reset, "in use by process " + server.pid());
    }

    private void theAdministratorIsResetOnRequestAndNeverShownAgain(Process first, Path model) throws Exception {
        Process reset =
                start("", "reset-admin", "--data", folder.resolve("data").toString());
        assertThat(status(reset)).as(output(reset)).isZero();
        assertThat(output(reset).lines()).hasSize(2);
        assertThat(group(KEY, output(reset))).isNotEqualTo(group(KEY, output(first)));

        Process again = start("", serve(model));
        await().atMost(PATIENCE).until(() -> READY.matcher(output(again)).find());
        assertThat(output(again).lines()).hasSize(1);
        Process chat = start(group(KEY, output(reset)), "chat", "--url", group(READY, output(again)), "hi");
        assertThat(status(chat)).as(output(chat)).isZero();
        Process old = start(group(KEY, output(first)), "chat", "--url", group(READY, output(again)), "hi");
        assertRefused(old, "401");
    }

    private void asksInTheTerminal(String url, String key) throws Exception {
        Path file = Files.writeString(folder.resolve("facts.txt"), "The sky is ZEBRA. 😀");
        Process once =
                start(key, "chat", "--url", url, "--file", file.toString(), "--max-tokens", "8", "What", "colour?");
        Process piped = start(key, "chat", "--url", url + "/v1/", "--system", "Be brief.", "--max-tokens", "4");
        piped.getOutputStream().write("first\n\nsecond\n".getBytes(StandardCharsets.UTF_8));
        piped.getOutputStream().close();

        assertThat(status(once)).as(output(once)).isZero();
        assertThat(output(once)).isNotBlank().doesNotContain("plumbline:");
        assertThat(status(piped)).as(output(piped)).isZero();
    }

    private void refusalsAreOneSentence(String url, String key, Path model) throws Exception {
        int port = URI.create(url).getPort();
        Process wrongKey = start("wrong", "chat", "--url", url, "hi");
        Process noKey = start("", "chat", "--url", url, "hi");
        Process nowhere = start(key, "chat", "--url", "http://127.0.0.1:1", "hi");
        Process busy = start(key, "serve", "--model", model.toString(), "--port", "" + port);
        Process noModel = start(key, "serve", "--model", "nothing-here", "--port", "0");

        assertRefused(wrongKey, "401", "API key");
        assertRefused(noKey, "PLUMBLINE_API_KEY");
        assertRefused(nowhere, "no server answers at http://127.0.0.1:1", "./plumbline serve");
        assertRefused(busy, "port " + port, "in use", "--port");
        assertRefused(noModel, "nothing-here", "needle-mini");
    }

    /** A stream is running; the server has to end it with an error and then itself within 20 seconds. */
    private void endsOnSigterm(Process server, String url, String key) throws Exception {
        String body = "{\"model\":\"tiny\",\"stream\":true,\"logit_bias\":{\"1\":-100},"
                + "\"messages\":[{\"role\":\"user\",\"content\":\"go on\"}]}";
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/v1/chat/completions"))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<InputStream> response =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body().readNBytes(300)).hasSize(300);

        long signalled = System.nanoTime();
        server.destroy();

        String rest = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - signalled)).isLessThan(Duration.ofSeconds(20));
        // A fast machine may have finished the whole context before the grace was over.
        assertThat(rest).containsAnyOf("The server is shutting down.", "[DONE]");
        assertThat(output(server)).doesNotContain("Exception");
    }

    private void assertRefused(Process process, String... words) throws Exception {
        assertThat(status(process)).isNotZero();
        assertThat(output(process)).contains(words);
        assertThat(output(process).lines()).as(output(process)).hasSize(1);
    }

    private static int status(Process process) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private Process start(String key, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.plumbline.cli.Main"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PLUMBLINE_API_KEY", key);
        builder.redirectOutput(folder.resolve("output-" + started.size()).toFile());
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private String output(Process process) throws IOException {
        return Files.readString(folder.resolve("output-" + started.indexOf(process)));
    }

    private static String group(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }
}
