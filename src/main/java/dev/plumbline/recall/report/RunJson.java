package dev.plumbline.recall.report;

import static dev.plumbline.recall.report.RecordJson.object;
import static dev.plumbline.recall.report.RecordJson.word;

import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.verdict.CellState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A run as JSON. */
final class RunJson {
    private RunJson() {}

    /** The run with its strata, its grid and its cells. */
    static ObjectNode of(RunRecord run) {
        ObjectNode node = about(run);
        ArrayNode strata = node.putArray("strata");
        for (SuiteStratum stratum : run.suite().strata()) {
            List<CellRecord> cells = run.cells().stream()
                    .filter(cell -> cell.cell().stratum().equals(stratum.name()))
                    .toList();
            ObjectNode one = strata.addObject().put("name", stratum.name()).put("required", stratum.required());
            one.set("cells", counts(cells));
            one.set("recall", recall(cells));
        }
        Map<String, CellRecord> byId = run.cells().stream()
                .collect(Collectors.toMap(cell -> cell.cell().id(), Function.identity()));
        ArrayNode grid = node.putArray("grid");
        RecallGrid table = RecallGrid.of(run);
        for (RecallGrid.Row row : table.rows()) {
            for (String depth : table.depths()) {
                if (!row.at(depth).isEmpty()) {
                    grid.addObject()
                            .put("stratum", row.stratum())
                            .put("shortest", row.shortest())
                            .put("longest", row.longest())
                            .put("placement", depth)
                            .set(
                                    "recall",
                                    recall(row.at(depth).stream().map(byId::get).toList()));
                }
            }
        }
        ArrayNode cells = node.putArray("cells");
        run.cells().forEach(cell -> cells.add(RecordJson.cell(cell)));
        return node;
    }

    /** The run without its cells, but with their numbers. */
    static ObjectNode about(RunRecord run) {
        ObjectNode node = object().put("id", run.id()).put("object", "recall.run");
        node.putObject("suite")
                .put("name", run.suite().name())
                .put("version", run.suite().version())
                .put("sha256", run.suite().hash());
        node.putObject("edges")
                .put("window", run.edges().window())
                .put("budget", run.edges().budget());
        ArrayNode seeds = node.putArray("seeds");
        run.seeds().forEach(seeds::add);
        node.put("run_config", run.runConfig());
        node.set("flags", RecordJson.texts(run.flags()));
        node.set("target", RecordJson.target(run.target()));
        node.put("measure", run.measure())
                .put("scorer", run.scorer())
                .put("created_at", text(run.createdAt()))
                .put("started_at", text(run.startedAt()))
                .put("finished_at", text(run.finishedAt()));
        node.set("counts", counts(run.cells()));
        return node;
    }

    private static String text(Object instant) {
        return instant == null ? null : instant.toString();
    }

    private static ObjectNode counts(Collection<CellRecord> cells) {
        ObjectNode node = object();
        for (CellState state : CellState.values()) {
            node.put(
                    word(state),
                    cells.stream().filter(cell -> cell.state() == state).count());
        }
        return node;
    }

    private static ObjectNode recall(Collection<CellRecord> cells) {
        int passed = (int)
                cells.stream().filter(cell -> cell.state() == CellState.PASSED).count();
        return RecordJson.rate(passed, (int)
                cells.stream().filter(cell -> cell.state().scored()).count());
    }
}
