package dev.plumbline.recall.run;

import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What happens to a run happens to those that ask its prompts: they are measured as it is once it begins, and fail if it
 * never will. Every step locks the run that is followed first, so that none is made unseen in between.
 */
final class PromptsOf {
    private PromptsOf() {}

    /**
     * How the prompts of a run are measured, which stays so until this transaction ends.
     *
     * @return empty if it has not begun
     * @throws RunRefusedException if it never will, or does not exist any more
     */
    static String measure(JdbcClient client, UUID followed) {
        Seen run = client.sql("SELECT state, measure FROM run WHERE id = :id FOR SHARE")
                .param("id", followed)
                .query((row, number) ->
                        new Seen(RunState.of(row.getString("state")).orElseThrow(), row.getString("measure")))
                .optional()
                .orElseThrow(() ->
                        RunRefusedException.missing("prompts_of", "not_found", "No run '" + followed + "' exists."));
        if (run.measure().isEmpty() && run.state().ended()) {
            throw RunRefusedException.invalid(
                    "prompts_of",
                    "The run '" + followed + "' ended as " + run.state().text()
                            + " before it began, so that its prompts"
                            + " were never measured; allowed: a run that has begun or waits.");
        }
        return run.measure();
    }

    private record Seen(RunState state, String measure) {}

    /** Measures prompts of the runs that wait for one which begins, and of those that wait for these. */
    static void measured(JdbcClient client, UUID begun, String measure) {
        List<UUID> followed = List.of(begun);
        while (!followed.isEmpty()) {
            // A statement of its own for every step: it sees what was made while the one before waited for a lock.
            followed = client.sql("UPDATE run SET measure = :measure WHERE prompts_of = ANY(:followed)"
                            + " AND measure = '' AND state = 'waiting' RETURNING id")
                    .param("measure", measure)
                    .param("followed", followed.toArray(UUID[]::new))
                    .query(UUID.class)
                    .list();
        }
    }

    /**
     * Ends a run and tells so, and fails those that wait for its measure.
     *
     * @param failure null but for a failed one
     * @return false if it has ended already
     */
    static boolean end(JdbcClient client, UUID run, RunState state, String failure) {
        if (!RunTable.end(client, run, state, failure)) {
            return false;
        }
        EventTable.state(client, run, state);
        orphan(client, run, state.text());
        return true;
    }

    /** Deletes a run and fails those that wait for its measure; false if there is none of that id. */
    static boolean delete(JdbcClient client, UUID run) {
        if (RunTable.lock(client, run).isEmpty()) {
            return false;
        }
        orphan(client, run, "deleted");
        return RunTable.delete(client, run);
    }

    private static void orphan(JdbcClient client, UUID run, String what) {
        client.sql("SELECT id FROM run WHERE prompts_of = :run AND measure = '' AND state = 'waiting' ORDER BY id")
                .param("run", run)
                .query(UUID.class)
                .list()
                .forEach(waiting -> end(
                        client,
                        waiting,
                        RunState.FAILED,
                        "the run '" + run + "', whose prompts it asks, was " + what
                                + " before it began, so that they were" + " never measured"));
    }
}
