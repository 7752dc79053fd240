package dev.plumbline.recall.run;

import dev.plumbline.recall.suite.Suite;
import dev.plumbline.runconfig.RunConfigRef;
import java.util.List;
import java.util.UUID;

/**
 * A run to be made.
 *
 * @param suite what to ask
 * @param seeds different ones, each of which gives as many cells
 * @param runConfig the flags to ask it under; null only with a target whose flags are its own
 * @param target id or name of a stored target; null is the engine of the servers
 * @param promptsOf a run whose prompts are to be asked, measured as they were there; null measures by the target
 * @param haystack the user's own text to hide needles in; null takes the built-in texts
 * @param owner name of the user who asks
 * @param purpose what it is for
 */
public record NewRun(
        Suite suite,
        List<Long> seeds,
        RunConfigRef runConfig,
        String target,
        UUID promptsOf,
        String haystack,
        String owner,
        Purpose purpose) {
    /** Owner of what the program starts by itself. */
    public static final String PROGRAM = "plumbline";

    /** Copies the list. */
    public NewRun {
        seeds = List.copyOf(seeds);
    }

    /** A suite on the engine of the servers, in the built-in texts. */
    public static NewRun of(Suite suite, List<Long> seeds, RunConfigRef runConfig, String owner, Purpose purpose) {
        return new NewRun(suite, seeds, runConfig, null, null, null, owner, purpose);
    }
}
