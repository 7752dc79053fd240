package dev.plumbline.recall.verdict;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What two runs must agree in to be compared, and their cells.
 *
 * @param model hash of the checkpoint
 * @param suite name and version of the suite
 * @param scorer name and version of the scorer
 * @param cells every planned cell, answered or not
 */
public record RunOutcomes(String model, String suite, String scorer, List<CellOutcome> cells) {

    /**
     * Copies the cells.
     *
     * @throws IllegalArgumentException naming a cell that comes twice
     */
    public RunOutcomes {
        cells = List.copyOf(cells);
        byId(cells);
    }

    /** The cells by id, in their order. */
    Map<String, CellOutcome> byId() {
        return byId(cells);
    }

    private static Map<String, CellOutcome> byId(List<CellOutcome> cells) {
        Map<String, CellOutcome> byId = new LinkedHashMap<>();
        for (CellOutcome cell : cells) {
            if (byId.put(cell.cell(), cell) != null) {
                throw new IllegalArgumentException("cell " + cell.cell() + " comes twice in one run");
            }
        }
        return byId;
    }
}
