package dev.plumbline.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Lets a server compare two of its run configs, and waits for the verdict. */
final class ServerGate {
    private static final long POLL_MILLIS = 1000;
    /** Polls in a row that may fail: a server may be restarted meanwhile, and goes on. */
    private static final int MOST_FAILURES = 60;

    private final ApiClient api;
    private final PrintWriter err;

    ServerGate(ApiClient api, PrintWriter err) {
        this.api = api;
        this.err = err;
    }

    /**
     * Asks and waits.
     *
     * @param margin share that may be lost
     * @throws CliException if the server refuses, or cannot come to a verdict
     */
    GateResult judge(String suite, List<Long> seeds, String baseline, String candidate, double margin)
            throws InterruptedException {
        ObjectNode wish = JsonMapper.shared()
                .createObjectNode()
                .put("suite", suite)
                .put("baseline", baseline)
                .put("candidate", candidate)
                .put("margin", margin)
                .put("purpose", "gate");
        seeds.forEach(wish.putArray("seeds")::add);
        JsonNode comparison = api.post("/api/comparisons", wish);
        String path = "/api/comparisons/" + comparison.path("id").asString("");
        err.println("The server compares as " + path);
        comparison = ended(path);
        String title = comparison.path("verdict").asString("");
        if (title.isEmpty()) {
            throw new CliException("the server came to no verdict: "
                    + comparison.path("failure").asString("no reason given"));
        }
        String text = title + ": " + comparison.path("sentence").asString("") + "\n";
        return new GateResult(
                title,
                text,
                export(path, "/export.json"),
                export(path, "/export.junit.xml"),
                export(path, "/report.md"));
    }

    private Supplier<String> export(String path, String name) {
        return () -> {
            try {
                return api.text(path + name);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CliException("interrupted while the server's report was read");
            }
        };
    }

    private JsonNode ended(String path) throws InterruptedException {
        int failures = 0;
        try (ServerProgress progress = new ServerProgress(api)) {
            while (true) {
                try {
                    JsonNode comparison = api.get(path);
                    failures = 0;
                    String state = comparison.path("state").asString("");
                    if (List.of("finished", "failed", "cancelled").contains(state)) {
                        return comparison;
                    }
                    progress.show(state, comparison.path("runs"));
                } catch (CliException e) {
                    failures++;
                    if (failures >= MOST_FAILURES) {
                        throw e;
                    }
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }
}
