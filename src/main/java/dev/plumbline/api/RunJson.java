package dev.plumbline.api;

import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.run.NeedleJson;
import dev.plumbline.recall.run.RunCounts;
import dev.plumbline.recall.run.RunGrid;
import dev.plumbline.recall.run.StoredCell;
import dev.plumbline.recall.run.StoredRun;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.verdict.CellState;
import java.time.Instant;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Runs and their cells as JSON. */
final class RunJson {
    private RunJson() {}

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ObjectNode run(StoredRun run) {
        String path = "/api/runs/" + run.id();
        ObjectNode node = object().put("id", run.id().toString())
                .put("object", "run")
                .put("state", run.state().text())
                .put("failure", run.failure())
                .put("purpose", run.purpose().text())
                .put("owner", run.owner())
                .put("suite", run.suite().label())
                .put("suite_sha256", run.suite().hash())
                .put(
                        "run_config",
                        run.runConfig() == null ? null : run.runConfig().toString());
        ArrayNode seeds = node.putArray("seeds");
        run.seeds().forEach(seeds::add);
        ObjectNode target = node.putObject("target")
                .put("id", run.targetId() == null ? null : run.targetId().toString())
                .put("kind", run.target().kind())
                .put("name", run.target().name())
                .put("model", run.target().model())
                .put(
                        "model_sha256",
                        run.target().modelHash().isEmpty() ? null : run.target().modelHash());
        ObjectNode facts = target.putObject("facts");
        run.target().facts().forEach(facts::put);
        ObjectNode flags = node.putObject("flags");
        run.flags().forEach(flags::put);
        node.putObject("edges")
                .put("window", run.edges().window())
                .put("budget", run.edges().budget());
        node.put("measure", run.measure())
                .put(
                        "prompts_of",
                        run.promptsOf() == null ? null : run.promptsOf().toString())
                .put("scorer", run.scorer());
        node.set("cells", counts(run.counts()));
        node.put("last_event", run.events())
                .put("created", seconds(run.createdAt()))
                .put("started", seconds(run.startedAt()))
                .put("ended", seconds(run.endedAt()));
        node.putObject("links")
                .put("self", path)
                .put("cells", path + "/cells")
                .put("events", path + "/events")
                .put("cancel", path + "/cancel");
        return node;
    }

    /** The strata in their order, and the counts of their cells by length and placement. */
    static ObjectNode grid(RunGrid grid) {
        ObjectNode node = object().put("object", "run.grid")
                .put("run", grid.run().id().toString())
                .put("state", grid.run().state().text());
        ArrayNode strata = node.putArray("strata");
        for (SuiteStratum stratum : grid.run().suite().strata()) {
            ArrayNode phases = strata.addObject()
                    .put("name", stratum.name())
                    .put("required", stratum.required())
                    .putArray("phases");
            stratum.phases().forEach(phases::add);
        }
        ArrayNode data = node.putArray("data");
        for (RunGrid.Group group : grid.groups()) {
            ObjectNode one = object().put("stratum", group.stratum())
                    .put("length", group.length())
                    .put("placement", group.placement());
            data.add(one.setAll(counts(group.counts())));
        }
        return node;
    }

    static ObjectNode counts(RunCounts counts) {
        return object().put("total", counts.cells())
                .put("passed", counts.passed())
                .put("failed", counts.failed())
                .put("truncated", counts.truncated())
                .put("error", counts.errors())
                .put("missing", counts.missing());
    }

    static ObjectNode cell(StoredCell stored) {
        CellRecord record = stored.record();
        SuiteCell cell = record.cell();
        ObjectNode node = object().put("id", cell.id())
                .put("object", "run.cell")
                .put("ordinal", stored.ordinal())
                .put("state", state(stored))
                .put("stratum", cell.stratum())
                .put("task", cell.task().label())
                .put("length", cell.length())
                .put("phase", cell.phase())
                .put("placement", cell.placement().label())
                .put("depth", cell.placement().depth())
                .put("haystack", cell.haystackId())
                .put("question", cell.question())
                .put("seed", cell.seed())
                .put("prompt_sha256", record.promptHash().isEmpty() ? null : record.promptHash());
        ArrayNode expected = node.putArray("expected");
        record.expected().forEach(expected::add);
        node.put("answer", record.answer())
                .put("passed", record.state() == CellState.PASSED)
                .put("distance", record.state().scored() ? record.distance() : null)
                .put("reason", record.reason())
                .put("finish_reason", record.finishReason().isEmpty() ? null : record.finishReason())
                .put("prompt_tokens", record.promptTokens())
                .put("answer_tokens", record.answerTokens())
                .put("first_token_ms", known(record.firstTokenMillis()))
                .put("total_ms", known(record.totalMillis()));
        node.set("needle", NeedleJson.write(record.needle()));
        return node.put("instance", stored.askedBy()).put("ended", seconds(stored.endedAt()));
    }

    /** What a list and an event say of a cell's progress; a result that is missing is waited for or being asked. */
    static String state(StoredCell stored) {
        CellState state = stored.record().state();
        if (state == CellState.MISSING) {
            return stored.claimed() ? "claimed" : "waiting";
        }
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** Adds the prompt, or null where it cannot be built again here. */
    static ObjectNode withPrompt(ObjectNode cell, SuitePrompt prompt) {
        if (prompt == null) {
            return cell.putNull("prompt");
        }
        ObjectNode node = cell.putObject("prompt").put("sha256", prompt.hash()).put("tokens", prompt.tokens().length);
        ArrayNode turns = node.putArray("messages");
        prompt.turns().forEach(turn -> turns.addObject()
                .put("role", turn.role().name().toLowerCase(Locale.ROOT))
                .put("content", turn.content()));
        return cell;
    }

    private static Double known(double millis) {
        return Double.isNaN(millis) ? null : millis;
    }

    private static Long seconds(Instant time) {
        return time == null ? null : time.getEpochSecond();
    }
}
