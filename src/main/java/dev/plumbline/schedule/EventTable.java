package dev.plumbline.schedule;

import java.sql.Types;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code schedule_event} and {@code schedule_event_attempt}. */
final class EventTable {
    private EventTable() {}

    /**
     * What is to be sent, and where.
     *
     * @param schedule whose it is
     * @param url null if there is no webhook any more
     * @param secret encrypted
     * @param attempts that there were already
     */
    record Waiting(UUID schedule, String url, byte[] secret, String payload, int attempts) {}

    static void insert(JdbcClient client, UUID id, UUID firing, String payload) {
        client.sql("INSERT INTO schedule_event (id, firing, payload, state) VALUES (:id, :firing, :payload, 'waiting')")
                .param("id", id)
                .param("firing", firing)
                .param("payload", payload)
                .update();
    }

    static Optional<Waiting> waiting(JdbcClient client, UUID id) {
        return client.sql("SELECT s.id, s.webhook_url, s.webhook_secret, e.payload, (SELECT count(*) FROM"
                        + " schedule_event_attempt a WHERE a.event = e.id) AS attempts FROM schedule_event e"
                        + " JOIN schedule_firing f ON f.id = e.firing JOIN schedule s ON s.id = f.schedule"
                        + " WHERE e.id = :id AND e.state = 'waiting'")
                .param("id", id)
                .query((row, number) -> new Waiting(
                        row.getObject("id", UUID.class),
                        row.getString("webhook_url"),
                        row.getBytes("webhook_secret"),
                        row.getString("payload"),
                        row.getInt("attempts")))
                .optional();
    }

    static void attempted(JdbcClient client, UUID id, int attempt, WebhookSender.Attempt made) {
        client.sql("INSERT INTO schedule_event_attempt (event, attempt, millis, status, failure)"
                        + " VALUES (:event, :attempt, :millis, :status, :failure) ON CONFLICT DO NOTHING")
                .param("event", id)
                .param("attempt", attempt)
                .param("millis", made.millis())
                .param("status", made.status(), Types.INTEGER)
                .param("failure", made.failure(), Types.VARCHAR)
                .update();
    }

    static void state(JdbcClient client, UUID id, String state) {
        client.sql("UPDATE schedule_event SET state = :state WHERE id = :id")
                .param("state", state)
                .param("id", id)
                .update();
    }

    /** What was told of a firing, if anything was. */
    static Optional<Firing.Event> of(JdbcClient client, UUID firing) {
        record Row(UUID id, String state) {}
        return client.sql("SELECT id, state FROM schedule_event WHERE firing = :firing")
                .param("firing", firing)
                .query((row, number) -> new Row(row.getObject("id", UUID.class), row.getString("state")))
                .optional()
                .map(event -> new Firing.Event(
                        event.id(),
                        event.state(),
                        client.sql("SELECT * FROM schedule_event_attempt WHERE event = :event ORDER BY attempt")
                                .param("event", event.id())
                                .query((row, number) -> {
                                    int status = row.getInt("status");
                                    Integer answered = row.wasNull() ? null : status;
                                    return new Firing.Attempt(
                                            ScheduleTable.instant(row, "at"),
                                            row.getLong("millis"),
                                            answered,
                                            row.getString("failure"));
                                })
                                .list()));
    }
}
