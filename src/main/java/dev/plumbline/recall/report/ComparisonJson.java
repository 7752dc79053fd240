package dev.plumbline.recall.report;

import static dev.plumbline.recall.report.RecordJson.object;

import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.verdict.CellPair;
import dev.plumbline.recall.verdict.NeedsConfirmation;
import dev.plumbline.recall.verdict.NotEnoughEvidence;
import dev.plumbline.recall.verdict.Outcome;
import dev.plumbline.recall.verdict.PairedCounts;
import dev.plumbline.recall.verdict.Regression;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A comparison as JSON. */
public final class ComparisonJson {
    /** Of each kind so many cells are shown at most; all of them are in the exports of the runs. */
    private static final int MOST_CELLS = 1000;

    private static final Map<String, Predicate<CellPair>> KINDS = kinds();

    private ComparisonJson() {}

    /** The judgement and everything it rests on, but not the cells that both sides passed, nor all of very many others. */
    public static ObjectNode of(ComparisonReport report) {
        return of(report, MOST_CELLS);
    }

    /** The same with at most so many cells of each kind. */
    static ObjectNode of(ComparisonReport report, int mostCells) {
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
        ObjectNode omitted = object();
        KINDS.forEach((name, kind) -> {
            List<CellChange> cells = CellChange.of(judgement, kind);
            changes(node.putArray(name), cells.subList(0, Math.min(cells.size(), mostCells)));
            omitted.put(name, Math.max(0, cells.size() - mostCells));
        });
        node.set("omitted", omitted);
        differences(node.putArray("differences"), judgement);
        return node;
    }

    private static Map<String, Predicate<CellPair>> kinds() {
        Map<String, Predicate<CellPair>> kinds = new LinkedHashMap<>();
        kinds.put("lost", CellPair::lost);
        kinds.put("gained", CellPair::gained);
        kinds.put("left_out", pair -> !pair.scored());
        return Collections.unmodifiableMap(kinds);
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

    /** How many pairs of a kind there are of every length and depth, which is small however many pairs there are. */
    private static void differences(ArrayNode places, Judgement judgement) {
        Map<String, SuiteCell> cells = judgement.candidate().cells().stream()
                .map(CellRecord::cell)
                .collect(Collectors.toMap(SuiteCell::id, Function.identity()));
        Map<Place, List<CellPair>> pairs = judgement.pairs().strata().stream()
                .flatMap(stratum -> stratum.pairs().stream())
                .filter(pair -> KINDS.values().stream().anyMatch(kind -> kind.test(pair)))
                .collect(Collectors.groupingBy(
                        pair -> Place.of(cells.get(pair.candidate().cell())), LinkedHashMap::new, Collectors.toList()));
        pairs.forEach((place, here) -> {
            ObjectNode node = places.addObject()
                    .put("stratum", place.stratum())
                    .put("length", place.length())
                    .put("placement", place.placement());
            KINDS.forEach(
                    (name, kind) -> node.put(name, here.stream().filter(kind).count()));
        });
    }

    private record Place(String stratum, int length, String placement) {
        static Place of(SuiteCell cell) {
            return new Place(cell.stratum(), cell.length(), cell.placement().label());
        }
    }

    private static void changes(ArrayNode cells, List<CellChange> changes) {
        for (CellChange change : changes) {
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
