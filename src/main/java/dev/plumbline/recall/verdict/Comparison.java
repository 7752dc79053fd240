package dev.plumbline.recall.verdict;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Two runs laid side by side, or why that would mislead. */
public sealed interface Comparison permits Pairing, NotComparable {

    /** Pairs the cells of two runs that were asked the same; anything that differs besides the outcomes is a refusal. */
    static Comparison of(RunOutcomes baseline, RunOutcomes candidate) {
        List<Difference> differences = new ArrayList<>(Differences.between(baseline, candidate));
        if (!differences.isEmpty()) {
            return new NotComparable(differences);
        }
        Map<String, CellOutcome> answers = candidate.byId();
        Map<String, List<CellPair>> strata = new LinkedHashMap<>();
        for (CellOutcome cell : baseline.cells()) {
            strata.computeIfAbsent(cell.stratum(), name -> new ArrayList<>())
                    .add(new CellPair(cell, answers.get(cell.cell())));
        }
        List<StratumPairs> pairs = new ArrayList<>();
        strata.forEach((name, cells) -> pairs.add(new StratumPairs(name, cells)));
        return new Pairing(pairs);
    }
}
