package dev.plumbline.recall.compare;

import dev.plumbline.recall.report.ShellCommand;
import dev.plumbline.recall.run.StoredRun;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Commands that ask the same again. Where the server is, and its key, the shell's environment says. */
public final class Commands {
    private static final String URL = "$PLUMBLINE_URL";

    private Commands() {}

    /** Compares the same sides again. */
    public static String gate(StoredComparison comparison) {
        if (comparison.baseline().target() == null && comparison.candidate().target() == null) {
            return ShellCommand.of(
                            "./plumbline",
                            "gate",
                            "--suite",
                            comparison.suite().toString(),
                            "--baseline",
                            comparison.baseline().label(),
                            "--candidate",
                            comparison.candidate().label())
                    + (comparison.seeds().equals(List.of(1L)) ? "" : " --seeds " + joined(comparison.seeds()))
                    + margin(comparison)
                    + " --server \"" + URL + "\"";
        }
        ObjectNode body = JsonNodeFactory.instance
                .objectNode()
                .put("suite", comparison.suite().toString())
                .put("margin", comparison.margin());
        comparison.seeds().forEach(body.putArray("seeds")::add);
        side(body.putObject("baseline"), comparison.baseline());
        side(body.putObject("candidate"), comparison.candidate());
        return post("/api/comparisons", body);
    }

    private static String margin(StoredComparison comparison) {
        double margin = comparison.margin();
        return margin == VerdictRule.STANDARD.margin() ? "" : String.format(Locale.ROOT, " --margin %s", margin);
    }

    private static String joined(List<Long> seeds) {
        return seeds.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static void side(ObjectNode node, Side side) {
        if (side.runConfig() != null) {
            node.put("run_config", side.runConfig().toString());
        }
        if (side.target() != null) {
            node.put("target", side.target());
        }
    }

    /** Asks the cells of a run again. */
    public static String run(StoredRun run) {
        ObjectNode body =
                JsonNodeFactory.instance.objectNode().put("suite", run.suite().label());
        if (run.runConfig() != null) {
            body.put("run_config", run.runConfig().toString());
        }
        if (run.targetId() != null) {
            body.put("target", run.targetId().toString());
        }
        if (run.promptsOf() != null) {
            body.put("prompts_of", run.promptsOf().toString());
        }
        run.seeds().forEach(body.putArray("seeds")::add);
        return post("/api/runs", body);
    }

    /** Judges runs that there are once more. */
    public static String compare(RunIds runs) {
        String path = "/api/compare?baseline=" + runs.baseline() + "&candidate=" + runs.candidate()
                + (runs.again() == null ? "" : "&baseline_again=" + runs.again())
                + (runs.freshBaseline() == null ? "" : "&fresh_baseline=" + runs.freshBaseline())
                + (runs.freshCandidate() == null ? "" : "&fresh_candidate=" + runs.freshCandidate());
        return "curl -sS -H \"Authorization: Bearer $PLUMBLINE_API_KEY\" \"" + URL + path + "\"";
    }

    private static String post(String path, ObjectNode body) {
        return "curl -sS -H \"Authorization: Bearer $PLUMBLINE_API_KEY\" -H 'Content-Type: application/json' -d "
                + ShellCommand.of(body.toString()) + " \"" + URL + path + "\"";
    }
}
