package dev.plumbline.recall.compare;

import dev.plumbline.recall.run.Purpose;
import dev.plumbline.recall.suite.stored.SuiteRef;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A comparison of the database.
 *
 * @param id names it; ids grow with time
 * @param owner name of the user who asked for it
 * @param purpose what it is for
 * @param suite what is asked
 * @param seeds of the cells
 * @param baseline what is held against
 * @param candidate what is in question
 * @param margin share of answers that may be lost
 * @param runs the runs
 * @param state how far it has come
 * @param failure why there will be no verdict, or null
 * @param verdict SAFE, REGRESSION or NOT ENOUGH EVIDENCE; null before the end
 * @param sentence why, in one sentence; null before the end
 * @param createdAt when it was asked for
 * @param endedAt when it ended, or null
 */
public record StoredComparison(
        UUID id,
        String owner,
        Purpose purpose,
        SuiteRef suite,
        List<Long> seeds,
        Side baseline,
        Side candidate,
        double margin,
        RunIds runs,
        ComparisonState state,
        String failure,
        String verdict,
        String sentence,
        Instant createdAt,
        Instant endedAt) {

    /** Copies the list. */
    public StoredComparison {
        seeds = List.copyOf(seeds);
    }
}
