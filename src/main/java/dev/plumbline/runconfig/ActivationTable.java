package dev.plumbline.runconfig;

import dev.plumbline.conversation.PageRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code activation}, {@code activation_instance} and {@code active_run_config}. */
final class ActivationTable {
    /** Where every commit of an activation is told. */
    static final String CHANNEL = "plumbline_run_config";

    /** A server that has not touched its activation for so long has ended. */
    private static final Duration ABANDONED = Duration.ofSeconds(20);

    private ActivationTable() {}

    static ActiveConfig active(JdbcClient client) {
        record Row(RunConfigRef ref, UUID activation, UUID undoable) {}
        Row row = client.sql("SELECT r.name, r.version, r.activation, a.undoable FROM active_run_config r"
                        + " LEFT JOIN activation a ON a.id = r.activation")
                .query((found, number) -> new Row(
                        new RunConfigRef(found.getString("name"), found.getInt("version")),
                        found.getObject("activation", UUID.class),
                        found.getObject("undoable", UUID.class)))
                .single();
        RunConfig config = RunConfigTable.one(client, row.ref()).orElseThrow();
        return new ActiveConfig(config, row.activation(), row.undoable());
    }

    /** The same, when the activation that is just being committed has been, until this transaction ends. */
    static ActiveConfig lockActive(JdbcClient client) {
        client.sql("SELECT only_row FROM active_run_config FOR UPDATE")
                .query(Boolean.class)
                .single();
        return active(client);
    }

    /** Which activation is in force; null for what the database was made with. */
    static UUID activeId(JdbcClient client) {
        return client.sql("SELECT activation FROM active_run_config")
                .query((row, number) -> row.getObject("activation", UUID.class))
                .list()
                .get(0);
    }

    /** Ends what servers that are gone have begun. */
    static void sweep(JdbcClient client) {
        client.sql("UPDATE activation SET status = 'failed', ended_at = clock_timestamp(),"
                        + " failure = 'the server that was asked ended before the activation did'"
                        + " WHERE status = 'in_progress'"
                        + " AND touched_at < clock_timestamp() - make_interval(secs => :age)")
                .param("age", ABANDONED.toSeconds())
                .update();
    }

    /**
     * Notes that an activation begins.
     *
     * @param undoable what a rollback undoes after this one; the activation itself if it is none
     * @throws ActivationBusyException if another one is in progress
     */
    static void begin(JdbcClient client, Activation activation, ActiveConfig before, UUID undoable) {
        try {
            client.sql("INSERT INTO activation (id, kind, from_name, from_version, to_name, to_version, previous,"
                            + " undoable, reason, author, instance, status) VALUES (:id, :kind, :fromName,"
                            + " :fromVersion, :toName, :toVersion, :previous, :undoable, :reason, :author, :instance,"
                            + " 'in_progress')")
                    .param("id", activation.id())
                    .param("kind", word(activation.kind()))
                    .param("fromName", activation.from().name())
                    .param("fromVersion", activation.from().version())
                    .param("toName", activation.to().name())
                    .param("toVersion", activation.to().version())
                    .param("previous", before.activation(), Types.OTHER)
                    .param("undoable", undoable, Types.OTHER)
                    .param("reason", activation.reason())
                    .param("author", activation.author())
                    .param("instance", activation.instance())
                    .update();
        } catch (DuplicateKeyException e) {
            throw new ActivationBusyException();
        }
    }

    /** What was active before an activation, and what a rollback undoes once that is active again. */
    static RollbackTarget before(JdbcClient client, UUID activation) {
        return client.sql("SELECT a.from_name, a.from_version, p.undoable FROM activation a"
                        + " LEFT JOIN activation p ON p.id = a.previous WHERE a.id = :id")
                .param("id", activation)
                .query((row, number) -> new RollbackTarget(
                        new RunConfigRef(row.getString("from_name"), row.getInt("from_version")),
                        row.getObject("undoable", UUID.class)))
                .single();
    }

    /** Where a rollback goes. */
    record RollbackTarget(RunConfigRef config, UUID undoable) {}

    static void touch(JdbcClient client, UUID id) {
        client.sql("UPDATE activation SET touched_at = clock_timestamp() WHERE id = :id AND status = 'in_progress'")
                .param("id", id)
                .update();
    }

    /**
     * Puts an activation in force and tells every server.
     *
     * @throws ActivationBusyException if something else has changed what is active, or ended this activation
     */
    static void complete(JdbcClient client, UUID id, RunConfigRef to, UUID previous) {
        // In the order of lockActive: whoever begins meanwhile waits here, and not the other way round.
        int moved = client.sql("UPDATE active_run_config SET name = :name, version = :version, activation = :id,"
                        + " since = clock_timestamp() WHERE activation IS NOT DISTINCT FROM CAST(:previous AS uuid)")
                .param("name", to.name())
                .param("version", to.version())
                .param("id", id)
                .param("previous", previous, Types.OTHER)
                .update();
        int ended = client.sql("UPDATE activation SET status = 'complete', ended_at = clock_timestamp()"
                        + " WHERE id = :id AND status = 'in_progress'")
                .param("id", id)
                .update();
        if (ended != 1 || moved != 1) {
            throw new ActivationBusyException();
        }
        client.sql("SELECT pg_notify('" + CHANNEL + "', :id)::text")
                .param("id", id.toString())
                .query(String.class)
                .list();
    }

    static void fail(JdbcClient client, UUID id, String failure) {
        client.sql("UPDATE activation SET status = 'failed', failure = :failure, ended_at = clock_timestamp()"
                        + " WHERE id = :id AND status = 'in_progress'")
                .param("id", id)
                .param("failure", failure)
                .update();
    }

    /** Notes what a server made of an activation; the last word counts. */
    static void record(JdbcClient client, UUID activation, InstanceResult result) {
        client.sql("INSERT INTO activation_instance (activation, instance, status, failure, proof, millis)"
                        + " VALUES (:activation, :instance, :status, :failure, CAST(:proof AS jsonb), :millis)"
                        + " ON CONFLICT (activation, instance) DO UPDATE SET status = excluded.status,"
                        + " failure = excluded.failure, proof = excluded.proof, millis = excluded.millis,"
                        + " recorded_at = clock_timestamp()")
                .param("activation", activation)
                .param("instance", result.instance())
                .param("status", word(result.status()))
                .param("failure", result.failure(), Types.VARCHAR)
                .param("proof", result.proof(), Types.VARCHAR)
                .param("millis", result.millis())
                .update();
    }

    static Optional<Activation> one(JdbcClient client, UUID id) {
        return client.sql("SELECT * FROM activation WHERE id = :id")
                .param("id", id)
                .query(ActivationTable::row)
                .optional();
    }

    /** What servers made of an activation, the first first. */
    static List<InstanceResult> instances(JdbcClient client, UUID activation) {
        return client.sql("SELECT * FROM activation_instance WHERE activation = :id ORDER BY recorded_at, instance")
                .param("id", activation)
                .query(ActivationTable::instance)
                .list();
    }

    /** Activations after one, and one more than the page holds; empty if no activation has the id. */
    static Optional<List<Activation>> page(JdbcClient client, PageRequest page) {
        Optional<Long> after = page.after() == null
                ? Optional.of(page.ascending() ? 0L : Long.MAX_VALUE)
                : client.sql("SELECT seq FROM activation WHERE id = :id")
                        .param("id", UUID.fromString(page.after()))
                        .query(Long.class)
                        .optional();
        return after.map(seq -> client.sql("SELECT * FROM activation WHERE seq "
                        + (page.ascending() ? "> :after ORDER BY seq" : "< :after ORDER BY seq DESC")
                        + " LIMIT :limit")
                .param("after", seq)
                .param("limit", page.limit() + 1)
                .query(ActivationTable::row)
                .list());
    }

    private static Activation row(ResultSet row, int number) throws SQLException {
        return new Activation(
                row.getObject("id", UUID.class),
                Activation.Kind.valueOf(constant(row, "kind")),
                new RunConfigRef(row.getString("from_name"), row.getInt("from_version")),
                new RunConfigRef(row.getString("to_name"), row.getInt("to_version")),
                row.getString("reason"),
                row.getString("author"),
                row.getString("instance"),
                Activation.Status.valueOf(constant(row, "status")),
                row.getString("failure"),
                row.getTimestamp("started_at").toInstant(),
                instant(row, "ended_at"));
    }

    private static InstanceResult instance(ResultSet row, int number) throws SQLException {
        return new InstanceResult(
                row.getString("instance"),
                InstanceResult.Outcome.valueOf(constant(row, "status")),
                row.getString("failure"),
                row.getString("proof"),
                row.getLong("millis"),
                instant(row, "recorded_at"));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String constant(ResultSet row, String column) throws SQLException {
        return row.getString(column).toUpperCase(Locale.ROOT);
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp time = row.getTimestamp(column);
        return time == null ? null : time.toInstant();
    }
}
