package dev.plumbline.recall.run;

import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code run_event}, and what tells others of it. Numbers come from the run's row, whose lock orders commits. */
final class EventTable {
    /** Where every commit of an event is told, with the run's id. */
    static final String CHANNEL = "plumbline_run";

    private EventTable() {}

    /**
     * One event.
     *
     * @param number from 1 on, without gaps
     * @param ordinal the cell that got its result; null for another state
     * @param state the run's new state, or null
     */
    record Row(long number, Integer ordinal, RunState state) {}

    /** Notes another state of a run. */
    static void state(JdbcClient client, UUID run, RunState state) {
        long number = client.sql("UPDATE run SET events = events + 1 WHERE id = :run RETURNING events")
                .param("run", run)
                .query(Long.class)
                .single();
        client.sql("INSERT INTO run_event (run_id, number, state) VALUES (:run, :number, :state)")
                .param("run", run)
                .param("number", number)
                .param("state", state.text())
                .update();
        tell(client, run);
    }

    /** Notes the result of a cell. */
    static void cell(JdbcClient client, UUID run, long number, int ordinal) {
        client.sql("INSERT INTO run_event (run_id, number, ordinal) VALUES (:run, :number, :ordinal)")
                .param("run", run)
                .param("number", number)
                .param("ordinal", ordinal)
                .update();
        tell(client, run);
    }

    /** Tells every server once this transaction is committed. */
    static void tell(JdbcClient client, UUID run) {
        client.sql("SELECT pg_notify('" + CHANNEL + "', :run)::text")
                .param("run", run.toString())
                .query(String.class)
                .list();
    }

    static List<Row> after(JdbcClient client, UUID run, long number, int limit) {
        return client.sql("SELECT * FROM run_event WHERE run_id = :run AND number > :number ORDER BY number"
                        + " LIMIT :limit")
                .param("run", run)
                .param("number", number)
                .param("limit", limit)
                .query((row, index) -> new Row(
                        row.getLong("number"),
                        row.getObject("ordinal", Integer.class),
                        row.getString("state") == null
                                ? null
                                : RunState.of(row.getString("state")).orElseThrow()))
                .list();
    }
}
