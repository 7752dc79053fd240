package dev.plumbline.console;

import dev.plumbline.database.Database;
import dev.plumbline.security.Scope;
import dev.plumbline.security.TestUser;
import dev.plumbline.target.TargetOptions;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server with the embedded model on a database of its own, with small suites and runs of them. */
final class RecallServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final String database = TestDatabase.create();
    private final TestServer server = TestServer.loading(TestDatabase.named(database), TestServer.KEY);
    private final TestUser operator;
    private final TestUser reader;

    RecallServer() {
        server.load(TargetOptions.defaults(TargetOptions.DEFAULT_MODEL));
        try (Database own = TestDatabase.named(database)) {
            operator = TestUser.create(own, Scope.CHAT, Scope.OPERATE);
            reader = TestUser.create(own, Scope.CHAT);
        }
    }

    String url() {
        return server.url();
    }

    TestUser operator() {
        return operator;
    }

    TestUser reader() {
        return reader;
    }

    JsonNode get(String path) throws Exception {
        return answer(server.send(server.request(path).GET()));
    }

    JsonNode post(String path, Map<String, ?> body) throws Exception {
        return answer(server.send(server.request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))));
    }

    private static JsonNode answer(HttpResponse<String> response) {
        if (response.statusCode() >= 300) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return JSON.readTree(response.body());
    }

    /** A suite of strata, each of them 16 cells of one length. */
    void suite(String name, Map<String, Integer> lengths) throws Exception {
        List<Map<String, Object>> strata = lengths.entrySet().stream()
                .map(stratum -> Map.<String, Object>of(
                        "name", stratum.getKey(),
                        "task", "multikey",
                        "lengths", List.of(stratum.getValue()),
                        "placements", List.of(0, 0.333, 0.667, 1),
                        "phases", List.of(0, 1, 2, 3),
                        "haystacks", 4,
                        "questions", 4))
                .toList();
        post("/api/suites", Map.of("name", name, "description", "", "strata", strata));
    }

    /** Starts a run; its id. */
    String start(String suite, String config, int seed) throws Exception {
        return post("/api/runs", Map.of("suite", suite, "run_config", config, "seeds", List.of(seed)))
                .path("id")
                .asString();
    }

    /** Waits for the end of a run. */
    void await(String run) throws Exception {
        Instant end = Instant.now().plus(PATIENCE);
        while (Set.of("waiting", "running")
                .contains(get("/api/runs/" + run).path("state").asString())) {
            if (Instant.now().isAfter(end)) {
                throw new AssertionError("run " + run + " does not end: " + get("/api/runs/" + run));
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    /** Waits for the end of the newest firing of a schedule. */
    void awaitFiring(String schedule) throws Exception {
        Instant end = Instant.now().plus(PATIENCE);
        while (!get("/api/schedules/" + schedule + "/firings")
                .at("/data/0/state")
                .asString()
                .equals("ended")) {
            if (Instant.now().isAfter(end)) {
                throw new AssertionError("schedule " + schedule + " does not come to an end");
            }
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
    }

    /** What the model could have answered as well: the first passed cell of a run gets another answer. */
    void misquote(String run, String answer) {
        try (Database own = TestDatabase.named(database)) {
            own.transaction(client -> client.sql(
                                    "UPDATE run_cell SET answer = :answer, reason = :answer, state = 'failed'"
                                            + " WHERE run_id = CAST(:run AS uuid) AND ordinal = (SELECT min(ordinal) FROM run_cell"
                                            + " WHERE run_id = CAST(:run AS uuid) AND state = 'passed')")
                            .param("answer", answer)
                            .param("run", run)
                            .update())
                    .block();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
