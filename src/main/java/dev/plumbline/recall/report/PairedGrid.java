package dev.plumbline.recall.report;

import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.verdict.CellPair;
import dev.plumbline.recall.verdict.PairedCounts;
import dev.plumbline.recall.verdict.StratumPairs;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Pairs by length and depth; those that do not count are left out on both sides.
 *
 * @param grid where the cells stand
 * @param pairs by the cell's id
 */
record PairedGrid(RecallGrid grid, Map<String, CellPair> pairs) {

    static PairedGrid of(Judgement judgement) {
        return new PairedGrid(
                RecallGrid.of(judgement.baseline()),
                judgement.pairs().strata().stream()
                        .flatMap(stratum -> stratum.pairs().stream())
                        .collect(Collectors.toMap(pair -> pair.baseline().cell(), pair -> pair)));
    }

    /** The pairs of one spot. */
    PairedCounts at(RecallGrid.Row row, String depth) {
        return counts(row.at(depth));
    }

    /** The pairs of a row. */
    PairedCounts all(RecallGrid.Row row) {
        return counts(row.all().toList());
    }

    private PairedCounts counts(List<String> ids) {
        return new StratumPairs("", ids.stream().map(pairs::get).toList()).counts();
    }
}
