package dev.plumbline.schedule;

import dev.plumbline.conversation.PageRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code schedule_firing}. */
final class FiringTable {
    private FiringTable() {}

    static Optional<Firing> one(JdbcClient client, UUID id) {
        return client.sql("SELECT * FROM schedule_firing WHERE id = :id")
                .param("id", id)
                .query(FiringTable::row)
                .optional();
    }

    /** The one that has not ended, if there is one. */
    static Optional<UUID> running(JdbcClient client, UUID schedule) {
        return client.sql("SELECT id FROM schedule_firing WHERE schedule = :schedule AND ended_at IS NULL")
                .param("schedule", schedule)
                .query(UUID.class)
                .optional();
    }

    static void insert(JdbcClient client, UUID id, UUID schedule, Firing.Reason reason, Instant due) {
        client.sql("INSERT INTO schedule_firing (id, schedule, reason, due_at) VALUES (:id, :schedule, :reason, :due)")
                .param("id", id)
                .param("schedule", schedule)
                .param("reason", reason.name().toLowerCase(Locale.ROOT))
                .param("due", Timestamp.from(due))
                .update();
    }

    /** Notes that a firing answers what its schedule, which is locked, asks now. */
    static void asks(JdbcClient client, Firing firing) {
        client.sql("UPDATE schedule_firing SET question = (SELECT question FROM schedule WHERE id = :schedule)"
                        + " WHERE id = :id")
                .param("schedule", firing.schedule())
                .param("id", firing.id())
                .update();
    }

    /** Whether its schedule, which is locked, still asks what a firing answers. */
    static boolean asked(JdbcClient client, Firing firing) {
        return client.sql("SELECT f.question = s.question FROM schedule_firing f JOIN schedule s ON s.id = f.schedule"
                        + " WHERE f.id = :id")
                .param("id", firing.id())
                .query(Boolean.class)
                .single();
    }

    /** Notes what a firing compares; false if it has ended, compares something already, or is gone. */
    static boolean began(JdbcClient client, UUID id, Comparer.Question question, UUID comparison) {
        return client.sql("UPDATE schedule_firing SET suite = :suite, candidate = :candidate, baseline = :baseline,"
                                + " comparison = :comparison WHERE id = :id AND ended_at IS NULL"
                                + " AND comparison IS NULL")
                        .param("suite", question.suite().label())
                        .param("candidate", question.candidate().toString())
                        .param("baseline", question.baseline().toString())
                        .param("comparison", comparison)
                        .param("id", id)
                        .update()
                > 0;
    }

    /** Notes the end; false if it had ended before. */
    static boolean end(JdbcClient client, UUID id, Comparer.Finding finding, boolean changed) {
        return client.sql("UPDATE schedule_firing SET ended_at = clock_timestamp(), verdict = :verdict,"
                                + " summary = :summary, changed = :changed WHERE id = :id AND ended_at IS NULL")
                        .param("verdict", finding.verdict().word())
                        .param("summary", finding.summary())
                        .param("changed", changed)
                        .param("id", id)
                        .update()
                > 0;
    }

    /** Firings of a schedule after one, by id, and one more than the page holds. */
    static List<Firing> page(JdbcClient client, UUID schedule, PageRequest page) {
        return client
                .sql("SELECT * FROM schedule_firing WHERE schedule = :schedule"
                        + (page.after() == null ? "" : " AND id " + (page.ascending() ? ">" : "<") + " :after")
                        + " ORDER BY id" + (page.ascending() ? "" : " DESC") + " LIMIT :limit")
                .param("schedule", schedule)
                .param("after", page.after() == null ? null : UUID.fromString(page.after()), Types.OTHER)
                .param("limit", page.limit() + 1)
                .query(FiringTable::row)
                .list()
                .stream()
                .map(firing -> withEvent(client, firing))
                .toList();
    }

    static Firing withEvent(JdbcClient client, Firing firing) {
        return EventTable.of(client, firing.id())
                .map(event -> new Firing(
                        firing.id(),
                        firing.schedule(),
                        firing.reason(),
                        firing.due(),
                        firing.started(),
                        firing.ended(),
                        firing.suite(),
                        firing.candidate(),
                        firing.baseline(),
                        firing.comparison(),
                        firing.verdict(),
                        firing.summary(),
                        firing.changed(),
                        event))
                .orElse(firing);
    }

    private static Firing row(ResultSet row, int number) throws SQLException {
        boolean changed = row.getBoolean("changed");
        boolean ended = !row.wasNull();
        return new Firing(
                row.getObject("id", UUID.class),
                row.getObject("schedule", UUID.class),
                Firing.Reason.valueOf(row.getString("reason").toUpperCase(Locale.ROOT)),
                ScheduleTable.instant(row, "due_at"),
                ScheduleTable.instant(row, "started_at"),
                ScheduleTable.instant(row, "ended_at"),
                row.getString("suite"),
                row.getString("candidate"),
                row.getString("baseline"),
                row.getObject("comparison", UUID.class),
                Verdict.of(row.getString("verdict")),
                row.getString("summary"),
                ended ? changed : null,
                null);
    }
}
