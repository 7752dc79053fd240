package dev.plumbline.recall.run;

import java.util.List;

/**
 * A run by length and depth.
 *
 * @param run the run
 * @param groups cells of one stratum, length and placement each, in the order of the suite
 */
public record RunGrid(StoredRun run, List<Group> groups) {

    /**
     * Cells that agree in all that a heatmap shows.
     *
     * @param stratum name of their stratum
     * @param length tokens of their prompts
     * @param placement label of where their needles stand
     * @param counts what became of them
     */
    public record Group(String stratum, int length, String placement, RunCounts counts) {}

    /** Copies the list. */
    public RunGrid {
        groups = List.copyOf(groups);
    }
}
