package dev.plumbline.recall.sweep;

import dev.plumbline.recall.Cell;
import dev.plumbline.recall.CellResult;
import dev.plumbline.recall.Depth;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A sweep that has been asked.
 *
 * @param about what was measured, such as model, backend and flags, in the order of the report
 * @param grid the cells
 * @param results one result per cell
 */
public record SweepResult(Map<String, String> about, Grid grid, List<CellResult> results) {

    /** Copies the results. */
    public SweepResult {
        results = List.copyOf(results);
    }

    /** The cells of one length. */
    public CellGroup group(int length) {
        return group(cell -> cell.length() == length);
    }

    /** The cells of one length and depth. */
    public CellGroup group(int length, Depth depth) {
        return group(cell -> cell.length() == length && cell.depth().equals(depth));
    }

    /** Every cell. */
    public CellGroup all() {
        return new CellGroup(results);
    }

    /** The cells that failed. */
    public List<CellResult> misses() {
        return results.stream().filter(result -> !result.score().passed()).toList();
    }

    private CellGroup group(Predicate<Cell> belongs) {
        return new CellGroup(
                results.stream().filter(result -> belongs.test(result.cell())).toList());
    }
}
