package dev.plumbline.recall.run;

import dev.plumbline.recall.suite.SuiteCell;
import java.util.List;

/**
 * A run that may be made, and is not stored yet.
 *
 * @param run the run, which waits
 * @param cells what it asks, in their order
 * @param haystack the user's own text, or null
 */
public record PlannedRun(StoredRun run, List<SuiteCell> cells, String haystack) {

    /** Copies the list. */
    public PlannedRun {
        cells = List.copyOf(cells);
    }
}
