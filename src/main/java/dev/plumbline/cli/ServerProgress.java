package dev.plumbline.cli;

import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** How far the runs of a comparison on a server are: those of the first look, then those on fresh cells. */
final class ServerProgress implements AutoCloseable {
    /** Every look is a request for each run, which keys of a low rate limit should bear. */
    private static final long LOOK_NANOS = Duration.ofSeconds(4).toNanos();

    private static final String CONFIRMING = "confirming";

    private final ApiClient api;
    private CellProgress progress;
    private String phase = "";
    private long looked;
    private long shown;

    ServerProgress(ApiClient api) {
        this.api = api;
    }

    /** Looks at the runs of a state, if it has not just done so. */
    void show(String state, JsonNode runs) throws InterruptedException {
        long now = System.nanoTime();
        if (state.equals(phase) && now - looked < LOOK_NANOS) {
            return;
        }
        looked = now;
        List<String> names = state.equals(CONFIRMING)
                ? List.of("fresh_baseline", "fresh_candidate")
                : List.of("baseline", "candidate", "baseline_again");
        long total = 0;
        long done = 0;
        String asked = "waiting";
        for (String name : names) {
            String run = runs.path(name).asString("");
            if (run.isEmpty()) {
                return;
            }
            JsonNode counts = api.get("/api/runs/" + run).path("cells");
            long missing = counts.path("missing").asLong();
            long cells = counts.path("total").asLong();
            if (missing > 0 && missing < cells) {
                asked = name.replace('_', ' ') + ", " + counts.path("passed").asLong() + " of " + (cells - missing)
                        + " right";
            }
            total += cells;
            done += cells - missing;
        }
        if (!state.equals(phase)) {
            begin(state, total);
        }
        progress.done(done - shown, asked);
        shown = done;
    }

    private void begin(String state, long total) {
        close();
        phase = state;
        shown = 0;
        progress = CellProgress.of(state.equals(CONFIRMING) ? "fresh cells" : "gate", total, System.err);
    }

    @Override
    public void close() {
        if (progress != null) {
            progress.close();
        }
    }
}
