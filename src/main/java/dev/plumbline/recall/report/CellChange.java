package dev.plumbline.recall.report;

import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.verdict.CellPair;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A cell whose outcomes differ, or do not count.
 *
 * @param baseline what became of it under the baseline
 * @param candidate what became of it under the candidate
 */
record CellChange(CellRecord baseline, CellRecord candidate) {

    /** The pairs of a kind, in the order of the suite. */
    static List<CellChange> of(Judgement judgement, Predicate<CellPair> kind) {
        Map<String, CellRecord> first = byId(judgement.baseline().cells());
        Map<String, CellRecord> second = byId(judgement.candidate().cells());
        return judgement.pairs().strata().stream()
                .flatMap(stratum -> stratum.pairs().stream())
                .filter(kind)
                .map(pair -> new CellChange(
                        first.get(pair.baseline().cell()),
                        second.get(pair.candidate().cell())))
                .toList();
    }

    private static Map<String, CellRecord> byId(List<CellRecord> cells) {
        return cells.stream().collect(Collectors.toMap(cell -> cell.cell().id(), Function.identity()));
    }
}
