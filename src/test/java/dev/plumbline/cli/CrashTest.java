package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.model.TinyModel;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Kills a real server while it streams answers that are to be stored, and holds the next one to the promise. */
class CrashTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int LONG_ANSWER = 8_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Random random = new Random(11);
    private KilledServer server;

    @AfterEach
    void end() throws InterruptedException {
        server.close();
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
        server = new KilledServer(folder, model);
        server.start();
        for (int round = 0; round < rounds; round++) {
            List<StoredStream> open = new ArrayList<>();
            for (int i = 0; i < streams; i++) {
                // Short ones to be done and long ones to be cut, however fast or slow the machine is.
                int tokens = i % 2 == 0 ? 1 + random.nextInt(40) : LONG_ANSWER;
                open.add(StoredStream.open(http, server.request("/v1/chat/completions"), tokens));
            }
            await().atMost(PATIENCE)
                    .until(() -> open.stream().anyMatch(StoredStream::done)
                            && open.stream().anyMatch(stream -> stream.begun() && !stream.done()));
            Thread.sleep(random.nextInt(500));
            long killed = System.nanoTime();
            server.kill();
            open.forEach(StoredStream::awaitEnd);
            server.start();
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
        HttpResponse<String> response = server.get("/v1/chat/completions/" + stream.id());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        report.retrieved(stream);
        JsonNode stored = JsonMapper.shared().readTree(response.body());
        String status = stored.path("status").asString();
        String text = stored.at("/choices/0/message/content").asString();
        assertThat(server.get("/v1/chat/completions/" + stream.id() + "/messages")
                        .body())
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
        assertThat(server.end(25)).isTrue();
        assertThat(folder.resolve("data/postgres/postmaster.pid")).doesNotExist();
    }
}
