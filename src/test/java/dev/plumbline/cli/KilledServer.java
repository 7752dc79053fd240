package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, with a database in its data folder, that can be killed and started again. */
final class KilledServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final Pattern READY = Pattern.compile("Ready: (http://127\\.0\\.0\\.1:\\d+)/v1");
    private static final String KEY = "crash-key";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path folder;
    private final Path model;
    private Process process;
    private String url;
    private int starts;

    KilledServer(Path folder, Path model) {
        this.folder = folder;
        this.model = model;
    }

    /** Starts it and waits until it serves. */
    void start() throws IOException {
        Path output = folder.resolve("output-" + starts++);
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx400m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.plumbline.cli.Main",
                        "serve",
                        "--model",
                        model.toString(),
                        "--backend",
                        "reference",
                        "--port",
                        "0",
                        "--data",
                        folder.resolve("data").toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("PLUMBLINE_API_KEY", KEY);
        process = builder.start();
        await().atMost(PATIENCE).until(() -> {
            assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
            return READY.matcher(Files.readString(output)).find();
        });
        Matcher ready = READY.matcher(Files.readString(output));
        assertThat(ready.find()).isTrue();
        url = ready.group(1);
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + KEY);
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Asks it to end; whether it has within so many seconds. */
    boolean end(int seconds) throws InterruptedException {
        process.destroy();
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        end(30);
        process.destroyForcibly();
    }
}
