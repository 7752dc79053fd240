package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.engine.Architectures;
import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.model.TinyModel;
import dev.plumbline.precision.CacheLayout;
import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server says about itself. */
class MetricsTest {
    private TestServer server;
    private Wire wire;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        server = TestServer.serving(folder, 2, 2);
        wire = new Wire(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void answersAreCountedAndTimed() throws Exception {
        server.chat(wire.body("hi", 5, true, ""));
        server.chat(wire.body("hi", 5, false, ",\"n\":2"));

        String first = "plumbline_time_to_first_token_seconds_";
        String between = "plumbline_inter_token_latency_seconds_";
        assertThat(value(first + "count")).isEqualTo(2);
        assertThat(value(first + "bucket{le=\"+Inf\"}")).isEqualTo(2);
        assertThat(value(first + "sum")).isPositive();
        assertThat(value(between + "count")).isEqualTo(3 * 4);
        assertThat(value("plumbline_tokens_total{kind=\"completion\",run_config=\"baseline@1\"}"))
                .isEqualTo(3 * 5);
        assertThat(value("plumbline_tokens_total{kind=\"prompt\",run_config=\"baseline@1\"}"))
                .isPositive();
        // Counted after the last byte is on its way.
        await().until(() -> value("plumbline_answers_total{end=\"complete\"}") == 2);
    }

    @Test
    void errorsAreCountedByTheirCodeAndRequestsByTheirStatus() throws Exception {
        server.chat(wire.body("hi", 5, true, ",\"temperature\":9"));
        server.chat("{".getBytes(StandardCharsets.UTF_8));
        get(null);

        assertThat(value("plumbline_errors_total{code=\"invalid_value\"}")).isEqualTo(1);
        assertThat(value("plumbline_errors_total{code=\"invalid_json\"}")).isEqualTo(1);
        assertThat(value("plumbline_errors_total{code=\"invalid_api_key\"}")).isEqualTo(1);
        assertThat(requests("400")).isEqualTo(2);
        assertThat(requests("401")).isEqualTo(1);
    }

    @Test
    void aClientThatLeavesIsCountedWithTheTokensItGot() throws Exception {
        try (Socket client = wire.open(wire.body("go", 8000, true, ",\"logit_bias\":{\"1\":-100}"))) {
            await().until(() -> server.target().status().running() == 1);
            assertThat(client.getInputStream().readNBytes(2000)).hasSize(2000);
            assertThat(value("plumbline_generations{state=\"running\"}")).isEqualTo(1);
            assertThat(value("plumbline_pool_bytes{pool=\"rings\",state=\"used\"}"))
                    .isPositive();
        }
        await().until(() -> value("plumbline_answers_total{end=\"dropped\"}") == 1);
        await().until(() -> value("plumbline_pool_bytes{pool=\"rings\",state=\"used\"}") == 0);
        assertThat(value("plumbline_pool_bytes{pool=\"rings\",state=\"free\"}")).isPositive();
        assertThat(value("plumbline_generations{state=\"waiting\"}")).isZero();
        assertThat(value("plumbline_tokens_total{kind=\"completion\",run_config=\"baseline@1\"}"))
                .isGreaterThan(3);
    }

    @Test
    void poolsAddUpToWhatIsAllocatedAlsoWhileTheyFillAndEmpty() throws Exception {
        CacheLayout layout = CacheLayout.of(
                Architectures.of("tiny", server.target().status().config()),
                server.target().status().profile());
        long sequence = layout.sequenceBytes().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        long pages = layout.csaPages(TinyModel.CONTEXT) * layout.csaPageBytes()
                + layout.hcaPages(TinyModel.CONTEXT) * layout.hcaPageBytes();
        // A snapshot of the prefix cache takes what a sequence holds whatever its length.
        long snapshots = server.target().status().pools().stream()
                .filter(pool -> pool.name().equals("snapshots"))
                .mapToLong(PoolStatus::allocatedBytes)
                .sum();
        assertThat(snapshots % sequence).isZero();
        double expected = 2.0 * (sequence + pages) + snapshots;

        ExecutorService chats = Executors.newSingleThreadExecutor();
        try {
            Future<?> busy = chats.submit(() -> {
                for (int chat = 0; chat < 8; chat++) {
                    server.chat(wire.body("hi", 3, false, ""));
                }
                return null;
            });
            boolean more = true;
            while (more) {
                more = !busy.isDone();
                List<String> scrape = get(TestServer.KEY).body().lines().toList();
                double sum = scrape.stream()
                        .filter(line -> line.startsWith("plumbline_pool_bytes{"))
                        .mapToDouble(MetricsTest::number)
                        .sum();
                assertThat(sum).isEqualTo(expected);
                assertThat(scrape).anySatisfy(line -> assertThat(line)
                        .startsWith("plumbline_pools_allocated_bytes ")
                        .satisfies(allocated -> assertThat(number(allocated)).isEqualTo(expected)));
            }
            busy.get();
        } finally {
            chats.shutdownNow();
        }
    }

    @Test
    void strangersSeeNothing() throws Exception {
        assertThat(get(null).statusCode()).isEqualTo(401);
        assertThat(get("wrong").statusCode()).isEqualTo(401);
        assertThat(get(TestServer.KEY).statusCode()).isEqualTo(200);
    }

    private double requests(String status) throws Exception {
        return get(TestServer.KEY)
                .body()
                .lines()
                .filter(line -> line.startsWith("http_server_requests_seconds_count")
                        && line.contains("status=\"" + status + "\""))
                .mapToDouble(MetricsTest::number)
                .sum();
    }

    private double value(String series) throws Exception {
        return get(TestServer.KEY)
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(MetricsTest::number)
                .findFirst()
                .orElse(-1);
    }

    private static double number(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ')));
    }

    private HttpResponse<String> get(String key) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + "/actuator/prometheus"));
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
