package dev.plumbline.recall.compare;

import dev.plumbline.recall.run.Purpose;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.List;

/**
 * A comparison to be made.
 *
 * @param suite what to ask
 * @param seeds of the cells
 * @param baseline what is held against
 * @param candidate what is in question
 * @param rule when it is safe; with the standard level
 * @param owner name of the user who asks
 * @param purpose manual, gate or schedule
 */
public record NewComparison(
        Suite suite, List<Long> seeds, Side baseline, Side candidate, VerdictRule rule, String owner, Purpose purpose) {

    /** Copies the list. */
    public NewComparison {
        seeds = List.copyOf(seeds);
    }
}
