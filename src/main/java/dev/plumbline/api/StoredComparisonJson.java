package dev.plumbline.api;

import dev.plumbline.recall.compare.Commands;
import dev.plumbline.recall.compare.RunIds;
import dev.plumbline.recall.compare.Side;
import dev.plumbline.recall.compare.StoredComparison;
import java.time.Instant;
import java.util.UUID;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Stored comparisons as JSON. */
final class StoredComparisonJson {
    private StoredComparisonJson() {}

    static ObjectNode of(StoredComparison comparison) {
        String path = "/api/comparisons/" + comparison.id();
        RunIds runs = comparison.runs();
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", comparison.id().toString())
                .put("object", "comparison")
                .put("state", comparison.state().text())
                .put("failure", comparison.failure())
                .put("verdict", comparison.verdict())
                .put("sentence", comparison.sentence())
                .put("suite", comparison.suite().toString());
        comparison.seeds().forEach(node.putArray("seeds")::add);
        node.set("baseline", side(comparison.baseline()));
        node.set("candidate", side(comparison.candidate()));
        node.put("margin", comparison.margin());
        node.putObject("runs")
                .put("baseline", text(runs.baseline()))
                .put("candidate", text(runs.candidate()))
                .put("baseline_again", text(runs.again()))
                .put("fresh_baseline", text(runs.freshBaseline()))
                .put("fresh_candidate", text(runs.freshCandidate()));
        node.put("purpose", comparison.purpose().text())
                .put("owner", comparison.owner())
                .put("command", Commands.gate(comparison))
                .put("created", seconds(comparison.createdAt()))
                .put("ended", seconds(comparison.endedAt()));
        node.putObject("links")
                .put("self", path)
                .put("json", path + "/export.json")
                .put("junit", path + "/export.junit.xml")
                .put("report", path + "/report.md");
        return node;
    }

    private static ObjectNode side(Side side) {
        return JsonNodeFactory.instance
                .objectNode()
                .put(
                        "run_config",
                        side.runConfig() == null ? null : side.runConfig().toString())
                .put("target", side.target());
    }

    private static String text(UUID id) {
        return id == null ? null : id.toString();
    }

    private static Long seconds(Instant time) {
        return time == null ? null : time.getEpochSecond();
    }
}
