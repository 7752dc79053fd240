package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.model.TinyModel;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Kills a real server while it asks the cells of a run: the next one asks the rest, and nothing twice. */
class RunCrashTest {
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final int CELLS = 24;
    private static final String SUITE = """
            name: killed
            strata:
              - name: short
                task: multikey
                lengths: [1000]
                placements: 4
                haystacks: 6
                questions: 4
            """;

    @TempDir
    Path folder;

    @Test
    void aKilledServerLosesNoCellAndTheNextOneAsksTheRest() throws Exception {
        Path model = TinyModel.write(Files.createDirectory(folder.resolve("tiny")));
        try (KilledServer server = new KilledServer(folder, model)) {
            server.start();
            post(server, "/api/suites", "application/yaml", SUITE);
            String run = "/api/runs/"
                    + post(
                                    server,
                                    "/api/runs",
                                    "application/json",
                                    "{\"suite\":\"killed\",\"run_config\":\"baseline\"}")
                            .path("id")
                            .asString();
            Map<String, JsonNode> seen = new LinkedHashMap<>();
            for (int kill = 1; kill <= 2; kill++) {
                int before = seen.size();
                await().atMost(PATIENCE).until(() -> done(server, run) > before);
                for (JsonNode cell :
                        get(server, run + "/cells?limit=1000&state=truncated").path("data")) {
                    seen.put(cell.path("id").asString(), cell);
                }
                server.kill();
                server.start();
            }
            await().atMost(PATIENCE)
                    .until(() -> get(server, run).path("state").asString().equals("finished"));

            assertThat(seen).hasSizeBetween(2, CELLS - 1);
            Map<String, JsonNode> all = new LinkedHashMap<>();
            for (JsonNode cell : get(server, run + "/cells?limit=1000").path("data")) {
                assertThat(cell.path("state").asString()).isEqualTo("truncated");
                all.put(cell.path("id").asString(), cell);
            }
            assertThat(all).hasSize(CELLS).containsAllEntriesOf(seen);
            assertThat(all.values().stream()
                            .map(cell -> cell.path("instance").asString())
                            .distinct())
                    .hasSizeGreaterThan(1);
            List<Long> numbers = new ArrayList<>();
            List<Integer> ordinals = new ArrayList<>();
            for (String line : events(server, run)) {
                if (line.startsWith("id: ")) {
                    numbers.add(Long.valueOf(line.substring("id: ".length())));
                } else if (line.startsWith("data: ") && line.contains("\"ordinal\":")) {
                    ordinals.add(JsonMapper.shared()
                            .readTree(line.substring("data: ".length()))
                            .path("ordinal")
                            .asInt());
                }
            }
            assertThat(numbers.stream().distinct())
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, CELLS + 3).boxed().toList());
            assertThat(ordinals).hasSize(CELLS).doesNotHaveDuplicates();
        }
    }

    private static int done(KilledServer server, String run) throws Exception {
        return get(server, run).at("/cells/truncated").asInt();
    }

    private static List<String> events(KilledServer server, String run) throws Exception {
        return server.send(server.request(run + "/events?after=0").GET())
                .body()
                .lines()
                .toList();
    }

    private static JsonNode get(KilledServer server, String path) throws Exception {
        return JsonMapper.shared()
                .readTree(server.send(server.request(path).GET()).body());
    }

    private static JsonNode post(KilledServer server, String path, String type, String body) throws Exception {
        HttpResponse<String> response = server.send(
                server.request(path).header("Content-Type", type).POST(HttpRequest.BodyPublishers.ofString(body)));
        assertThat(response.statusCode()).as(response.body()).isIn(200, 202);
        return JsonMapper.shared().readTree(response.body());
    }
}
