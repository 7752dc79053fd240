package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.model.TinyModel;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Kills a real server while it streams answers that are to be stored, and holds the next one to the promise. */
class CrashTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Pattern READY = Pattern.compile("Ready: (http://127\\.0\\.0\\.1:\\d+)/v1");
    private static final String KEY = "crash-key";
    private static final int LONG_ANSWER = 8_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Random random = new Random(11);
    private Process server;
    private String url;
    private int starts;

    @AfterEach
    void end() throws InterruptedException {
        server.destroy();
        server.waitFor(30, TimeUnit.SECONDS);
        server.destroyForcibly();
    }

    @Test
    void whatWasDoneSurvivesAKill() throws Exception {
        rounds(2, 10);
    }

    @Test
    @Tag("long")
    void whatWasDoneSurvivesTwentyKillsUnderFiftyStreams() throws Exception {
        CrashReport report = rounds(20, 50);
        report.write(Path.of("docs", "measured"));
        assertThat(report.lost()).isZero();
    }

    private CrashReport rounds(int rounds, int streams) throws Exception {
        Path model = TinyModel.write(Files.createDirectory(folder.resolve("tiny")));
        CrashReport report = new CrashReport(rounds, streams);
        start(model);
        for (int round = 0; round < rounds; round++) {
            List<StoredStream> open = new ArrayList<>();
            for (int i = 0; i < streams; i++) {
                // Short ones to be done and long ones to be cut, however fast or slow the machine is.
                int tokens = i % 2 == 0 ? 1 + random.nextInt(40) : LONG_ANSWER;
                open.add(StoredStream.open(http, request("/v1/chat/completions"), tokens));
            }
            await().atMost(PATIENCE)
                    .until(() -> open.stream().anyMatch(StoredStream::done)
                            && open.stream().anyMatch(stream -> stream.begun() && !stream.done()));
            Thread.sleep(random.nextInt(500));
            long killed = System.nanoTime();
            server.destroyForcibly().waitFor();
            open.forEach(StoredStream::awaitEnd);
            start(model);
            for (StoredStream stream : open) {
                check(stream, killed, report);
            }
        }
        assertThat(report.dones()).isPositive();
        assertThat(report.cut()).isPositive();
        endsWithItsDatabase();
        return report;
    }

    /** A stream that never began may have left nothing, or its request and no text. */
    private void check(StoredStream stream, long killed, CrashReport report) throws Exception {
        report.asked(stream);
        if (!stream.begun()) {
            return;
        }
        HttpResponse<String> response = get("/v1/chat/completions/" + stream.id());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        report.retrieved(stream);
        JsonNode stored = JsonMapper.shared().readTree(response.body());
        String status = stored.path("status").asString();
        String text = stored.at("/choices/0/message/content").asString();
        assertThat(get("/v1/chat/completions/" + stream.id() + "/messages").body())
                .contains(StoredStream.QUESTION);
        if (stream.done()) {
            assertThat(status).isEqualTo("complete");
            assertThat(text).isEqualTo(stream.text());
        } else {
            // The commit may have come and its message not, or the other way round for text in between.
            assertThat(status).isIn("incomplete", "complete");
            assertThat(text.startsWith(stream.text()) || stream.text().startsWith(text))
                    .isTrue();
            assertThat(text).as("a second before the kill").startsWith(stream.textAt(killed - SECOND));
        }
    }

    private void endsWithItsDatabase() throws Exception {
        assertThat(folder.resolve("data/postgres/postmaster.pid")).exists();
        server.destroy();
        assertThat(server.waitFor(25, TimeUnit.SECONDS)).isTrue();
        assertThat(folder.resolve("data/postgres/postmaster.pid")).doesNotExist();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + KEY);
    }

    private void start(Path model) throws IOException {
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
        server = builder.start();
        await().atMost(PATIENCE).until(() -> {
            assertThat(server.isAlive()).as(Files.readString(output)).isTrue();
            return READY.matcher(Files.readString(output)).find();
        });
        Matcher ready = READY.matcher(Files.readString(output));
        assertThat(ready.find()).isTrue();
        url = ready.group(1);
    }
}
