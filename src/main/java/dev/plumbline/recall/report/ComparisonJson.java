package dev.plumbline.recall.report;

import static dev.plumbline.recall.report.RecordJson.object;

import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.verdict.CellPair;
import dev.plumbline.recall.verdict.NeedsConfirmation;
import dev.plumbline.recall.verdict.NotEnoughEvidence;
import dev.plumbline.recall.verdict.Outcome;
import dev.plumbline.recall.verdict.PairedCounts;
import dev.plumbline.recall.verdict.Regression;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A comparison as JSON. */
public final class ComparisonJson {
    private ComparisonJson() {}

    /** The judgement and everything it rests on, but not the cells that both sides passed. */
    public static ObjectNode of(ComparisonReport report) {
        Judgement judgement = report.judgement();
        VerdictRule rule = judgement.outcome().rule();
        ObjectNode node = object().put("object", "recall.comparison");
        node.setAll(verdict(judgement));
        node.put("command", report.command());
        node.set("baseline", RunJson.about(judgement.baseline()));
        node.set("candidate", RunJson.about(judgement.candidate()));
        node.put(
                "baseline_again",
                judgement.again() == null ? null : judgement.again().id());
        ArrayNode strata = node.putArray("strata");
        judgement.outcome().strata().forEach(finding -> strata.add(FindingJson.of(finding, rule, true)));
        judgement.shown().forEach(finding -> strata.add(FindingJson.of(finding, rule, false)));
        fresh(node, judgement, rule);
        grid(node.putArray("grid"), judgement);
        ArrayNode flags = node.putArray("flags");
        FlagRow.of(judgement.baseline().flags(), judgement.candidate().flags()).forEach(row -> flags.addObject()
                .put("name", row.name())
                .put("baseline", row.baseline())
                .put("candidate", row.candidate())
                .put("differs", row.differs()));
        changes(node.putArray("lost"), judgement, CellPair::lost);
        changes(node.putArray("gained"), judgement, CellPair::gained);
        changes(node.putArray("left_out"), judgement, pair -> !pair.scored());
        return node;
    }

    /** The verdict alone. */
    public static ObjectNode verdict(Judgement judgement) {
        Outcome outcome = judgement.outcome();
        ObjectNode node = object().put("verdict", judgement.title())
                .put("sentence", judgement.sentence())
                .put("margin", outcome.rule().margin())
                .put("level", outcome.rule().level())
                .put("minimum_pairs", outcome.rule().minimumPairs());
        RecordJson.strings(node.putArray("notes"), judgement.notes());
        ArrayNode lost = node.putArray("regressions");
        if (outcome instanceof Regression regression) {
            outcome.strata().stream()
                    .map(StratumFinding::name)
                    .filter(regression.lostStrata()::contains)
                    .forEach(lost::add);
        }
        ObjectNode toAsk = node.putObject("fresh_cells_to_ask");
        if (outcome instanceof NeedsConfirmation open) {
            open.cellsToAsk().forEach(toAsk::put);
        }
        return node;
    }

    private static void fresh(ObjectNode node, Judgement judgement, VerdictRule rule) {
        if (judgement.fresh() == null) {
            node.putNull("fresh");
            return;
        }
        ObjectNode fresh = node.putObject("fresh")
                .put("baseline", judgement.fresh().baseline().id())
                .put("candidate", judgement.fresh().candidate().id());
        ArrayNode seeds = fresh.putArray("seeds");
        judgement.fresh().baseline().seeds().forEach(seeds::add);
        ArrayNode strata = fresh.putArray("strata");
        findings(judgement.outcome()).forEach(finding -> strata.add(FindingJson.of(finding, rule, true)));
    }

    /** Findings of the fresh cells. */
    static List<StratumFinding> findings(Outcome outcome) {
        if (outcome instanceof Regression regression) {
            return regression.fresh();
        }
        return outcome instanceof NotEnoughEvidence open ? open.fresh() : List.of();
    }

    private static void grid(ArrayNode spots, Judgement judgement) {
        PairedGrid grid = PairedGrid.of(judgement);
        for (RecallGrid.Row row : grid.grid().rows()) {
            for (String depth : grid.grid().depths()) {
                PairedCounts counts = grid.at(row, depth);
                if (!row.at(depth).isEmpty()) {
                    spots.addObject()
                            .put("stratum", row.stratum())
                            .put("shortest", row.shortest())
                            .put("longest", row.longest())
                            .put("placement", depth)
                            .put("n", counts.pairs())
                            .put("baseline_passed", counts.baselinePassed())
                            .put("candidate_passed", counts.candidatePassed())
                            .put("b", counts.lost())
                            .put("c", counts.gained());
                }
            }
        }
    }

    private static void changes(ArrayNode cells, Judgement judgement, Predicate<CellPair> kind) {
        for (CellChange change : CellChange.of(judgement, kind)) {
            ObjectNode cell = RecordJson.place(change.candidate().cell());
            RecordJson.strings(cell.putArray("expected"), change.candidate().expected());
            cell.set("baseline", side(change.baseline()));
            cell.set("candidate", side(change.candidate()));
            cells.add(cell);
        }
    }

    private static ObjectNode side(CellRecord record) {
        ObjectNode node = object().put("state", RecordJson.word(record.state()))
                .put("answer", record.answer())
                .put("distance", record.distance())
                .put("reason", record.reason());
        RecordJson.needle(node.putArray("needle"), record);
        return node;
    }
}
