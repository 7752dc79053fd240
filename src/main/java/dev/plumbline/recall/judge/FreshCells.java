package dev.plumbline.recall.judge;

import dev.plumbline.recall.suite.Suite;
import java.util.List;

/** Asks cells that were not asked before, to see whether a loss comes again. */
@FunctionalInterface
public interface FreshCells {

    /**
     * Asks all cells of a part of the suite under both configurations; waits until they are answered.
     *
     * @param part the suite with the strata in question only
     * @param seeds seeds that neither run has
     */
    FreshRuns ask(Suite part, List<Long> seeds);
}
