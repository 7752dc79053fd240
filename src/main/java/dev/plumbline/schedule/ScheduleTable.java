package dev.plumbline.schedule;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.runconfig.RunConfigRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code schedule}. */
final class ScheduleTable {
    private ScheduleTable() {}

    static Optional<Schedule> one(JdbcClient client, UUID id) {
        return client.sql("SELECT * FROM schedule WHERE id = :id")
                .param("id", id)
                .query(ScheduleTable::row)
                .optional();
    }

    /** The same, which nobody else changes or fires until this transaction ends. */
    static Optional<Schedule> lock(JdbcClient client, UUID id) {
        return client.sql("SELECT * FROM schedule WHERE id = :id FOR UPDATE")
                .param("id", id)
                .query(ScheduleTable::row)
                .optional();
    }

    /** Schedules after one, by id, and one more than the page holds. */
    static List<Schedule> page(JdbcClient client, PageRequest page) {
        return client.sql("SELECT * FROM schedule"
                        + (page.after() == null ? "" : " WHERE id " + (page.ascending() ? ">" : "<") + " :after")
                        + " ORDER BY id" + (page.ascending() ? "" : " DESC") + " LIMIT :limit")
                .param("after", page.after() == null ? null : UUID.fromString(page.after()), Types.OTHER)
                .param("limit", page.limit() + 1)
                .query(ScheduleTable::row)
                .list();
    }

    /** Enabled ones that have not looked at what is active now. */
    static List<UUID> unseen(JdbcClient client, UUID activation) {
        return client.sql("SELECT id FROM schedule WHERE enabled AND on_activation"
                        + " AND seen_activation IS DISTINCT FROM CAST(:activation AS uuid)")
                .param("activation", activation, Types.OTHER)
                .query(UUID.class)
                .list();
    }

    static void seen(JdbcClient client, UUID id, UUID activation) {
        client.sql("UPDATE schedule SET seen_activation = CAST(:activation AS uuid) WHERE id = :id")
                .param("activation", activation, Types.OTHER)
                .param("id", id)
                .update();
    }

    /** Notes that a schedule, which is locked, fires at a time of its clock; false if it did so already, or at a later one. */
    static boolean fires(JdbcClient client, UUID id, Instant time) {
        return client.sql("UPDATE schedule SET fired_at = :time WHERE id = :id"
                                + " AND (fired_at IS NULL OR fired_at < :time)")
                        .param("time", Timestamp.from(time))
                        .param("id", id)
                        .update()
                > 0;
    }

    /** The encrypted secret of the webhook; null without one. */
    static byte[] secret(JdbcClient client, UUID id) {
        return client.sql("SELECT webhook_secret FROM schedule WHERE id = :id")
                .param("id", id)
                .query((row, number) -> Optional.ofNullable(row.getBytes("webhook_secret")))
                .optional()
                .flatMap(secret -> secret)
                .orElse(null);
    }

    /**
     * Adds a schedule.
     *
     * @throws ScheduleException if the name is taken
     */
    static void insert(JdbcClient client, UUID id, NewSchedule wanted, byte[] secret, UUID activation, String author) {
        write(
                client,
                wanted,
                "INSERT INTO schedule (id, name, suite, candidate, baseline, margin, cron, zone,"
                        + " on_activation, enabled, webhook_url, webhook_secret, seen_activation, author) VALUES (:id,"
                        + " :name, :suite, :candidate, :baseline, :margin, :cron, :zone, :onActivation,"
                        + " :enabled, :url, :secret, CAST(:activation AS uuid), :author)",
                statement -> statement
                        .param("id", id)
                        .param("secret", secret, Types.BINARY)
                        .param("activation", activation, Types.OTHER)
                        .param("author", author));
    }

    /**
     * Replaces a schedule; the verdict is kept if the same is compared.
     *
     * @throws ScheduleException if the name is taken
     */
    static void update(JdbcClient client, Schedule old, NewSchedule wanted, byte[] secret, UUID activation) {
        boolean same = old.suite().equals(wanted.suite().toString())
                && Objects.equals(old.candidate(), text(wanted.candidate()))
                && old.baseline().equals(wanted.baseline().toString())
                && Objects.equals(old.margin(), wanted.margin());
        boolean follows = old.enabled() && old.onActivation();
        write(
                client,
                wanted,
                "UPDATE schedule SET name = :name, suite = :suite, candidate = :candidate, baseline = :baseline,"
                        + " margin = :margin, cron = :cron, zone = :zone, on_activation ="
                        + " :onActivation, enabled = :enabled, webhook_url = :url, webhook_secret = :secret,"
                        // What became active while it did not look is no news.
                        + (follows ? "" : " seen_activation = CAST(:activation AS uuid),")
                        + (same
                                ? ""
                                : " question = question + 1, verdict = NULL, verdict_firing = NULL,"
                                        + " verdict_since = NULL,")
                        + " updated_at = clock_timestamp() WHERE id = :id",
                statement -> statement
                        .param("id", old.id())
                        .param("secret", secret, Types.BINARY)
                        .param("activation", activation, Types.OTHER));
    }

    /** Adds the parameters that others lack. */
    private interface More {
        JdbcClient.StatementSpec to(JdbcClient.StatementSpec statement);
    }

    private static void write(JdbcClient client, NewSchedule wanted, String sql, More more) {
        try {
            more.to(client.sql(sql)
                            .param("name", wanted.name())
                            .param("suite", wanted.suite().toString())
                            .param("candidate", text(wanted.candidate()), Types.VARCHAR)
                            .param("baseline", wanted.baseline().toString())
                            .param("margin", wanted.margin(), Types.DOUBLE)
                            .param("cron", wanted.times(), Types.VARCHAR)
                            .param("zone", wanted.zone())
                            .param("onActivation", wanted.onActivation())
                            .param("enabled", wanted.enabled())
                            .param(
                                    "url",
                                    wanted.webhook() == null
                                            ? null
                                            : wanted.webhook().url(),
                                    Types.VARCHAR))
                    .update();
        } catch (DuplicateKeyException e) {
            throw ScheduleException.nameTaken(wanted.name());
        }
    }

    private static String text(RunConfigRef ref) {
        return ref == null ? null : ref.toString();
    }

    /** Notes what the last firing found. */
    static void verdict(JdbcClient client, UUID id, UUID firing, Verdict verdict, boolean changed) {
        client.sql("UPDATE schedule SET verdict = :verdict, verdict_firing = :firing"
                        + (changed ? ", verdict_since = clock_timestamp()" : "") + " WHERE id = :id")
                .param("verdict", verdict.word())
                .param("firing", firing)
                .param("id", id)
                .update();
    }

    static boolean delete(JdbcClient client, UUID id) {
        return client.sql("DELETE FROM schedule WHERE id = :id").param("id", id).update() > 0;
    }

    private static Schedule row(ResultSet row, int number) throws SQLException {
        double margin = row.getDouble("margin");
        boolean usual = row.wasNull();
        return new Schedule(
                row.getObject("id", UUID.class),
                row.getString("name"),
                row.getString("suite"),
                row.getString("candidate"),
                row.getString("baseline"),
                usual ? null : margin,
                row.getString("cron"),
                row.getString("zone"),
                row.getBoolean("on_activation"),
                row.getBoolean("enabled"),
                row.getString("webhook_url"),
                Verdict.of(row.getString("verdict")),
                row.getObject("verdict_firing", UUID.class),
                instant(row, "verdict_since"),
                row.getString("author"),
                instant(row, "created_at"),
                instant(row, "updated_at"));
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp time = row.getTimestamp(column);
        return time == null ? null : time.toInstant();
    }
}
