package dev.plumbline.recall.result;

import dev.plumbline.recall.Rate;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.recall.verdict.RunOutcomes;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A suite asked under one run config on one target.
 *
 * @param id names the run where it is kept
 * @param suite what was asked
 * @param edges of the model, which lengths may be relative to
 * @param seeds of the cells
 * @param runConfig {@code name@version}, or the name of a file
 * @param flags every flag in force, by key; empty if the target has none that are known
 * @param target what answered
 * @param measure how the lengths of prompts were measured: equal measures give equal prompts
 * @param scorer name and version of the scorer
 * @param createdAt when it was asked for
 * @param startedAt when the first cell was asked; null before
 * @param finishedAt when the last one was done; null before
 * @param cells every planned cell, in the suite's order
 */
public record RunRecord(
        String id,
        Suite suite,
        Edges edges,
        List<Long> seeds,
        String runConfig,
        Map<String, String> flags,
        TargetRecord target,
        String measure,
        String scorer,
        Instant createdAt,
        Instant startedAt,
        Instant finishedAt,
        List<CellRecord> cells) {

    /** Copies the collections. */
    public RunRecord {
        seeds = List.copyOf(seeds);
        flags = Collections.unmodifiableMap(new LinkedHashMap<>(flags));
        cells = List.copyOf(cells);
    }

    /** What a verdict needs of it. */
    public RunOutcomes outcomes() {
        return new RunOutcomes(
                target.comparable(),
                suite.label(),
                scorer,
                cells.stream().map(CellRecord::outcome).toList());
    }

    /** Cells by state, those without any included. */
    public Map<CellState, Integer> counts() {
        Map<CellState, Integer> counts = new LinkedHashMap<>();
        for (CellState state : CellState.values()) {
            counts.put(state, (int)
                    cells.stream().filter(cell -> cell.state() == state).count());
        }
        return counts;
    }

    /** Recall of some cells: passed of those that were answered to their end. */
    public static Rate rate(Collection<CellRecord> cells) {
        int passed = (int)
                cells.stream().filter(cell -> cell.state() == CellState.PASSED).count();
        int scored = (int) cells.stream().filter(cell -> cell.state().scored()).count();
        return new Rate(passed, scored);
    }
}
