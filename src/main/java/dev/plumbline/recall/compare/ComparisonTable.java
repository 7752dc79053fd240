package dev.plumbline.recall.compare;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.conversation.StoredText;
import dev.plumbline.recall.run.Purpose;
import dev.plumbline.recall.suite.stored.SuiteRef;
import dev.plumbline.runconfig.RunConfigRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code recall_comparison}. */
final class ComparisonTable {
    /** A server that has not ended its step for so long has ended itself, or tried in vain. */
    private static final Duration ABANDONED = Duration.ofSeconds(60);

    private static final String COLUMNS = "id, owner, purpose, suite_name, suite_version, seeds, baseline_name,"
            + " baseline_version, baseline_target, candidate_name, candidate_version, candidate_target, margin,"
            + " baseline_run, candidate_run, again_run, fresh_baseline_run, fresh_candidate_run, state, failure,"
            + " verdict, sentence, created_at, ended_at";

    private static final String OPEN = "state IN ('running', 'confirming')";

    private static final String RUNS =
            "(c.baseline_run, c.candidate_run, c.again_run, c.fresh_baseline_run, c.fresh_candidate_run)";

    /** There can be no verdict; whoever finds it may say so. */
    private static final String HOPELESS = "(c.baseline_run IS NULL OR c.candidate_run IS NULL OR c.again_run IS NULL"
            + " OR c.state = 'confirming' AND (c.fresh_baseline_run IS NULL OR c.fresh_candidate_run IS NULL)"
            + " OR EXISTS (SELECT 1 FROM run e WHERE e.state IN ('cancelled', 'failed') AND e.id IN " + RUNS + "))";

    /** Nothing is being asked any more, and this server has the model, or no server will have it. */
    private static final String READY = "(:model <> ''"
            + " AND NOT EXISTS (SELECT 1 FROM run m WHERE m.id IN (c.baseline_run, c.candidate_run)"
            + " AND m.target_id IS NULL AND m.model_hash <> :model AND m.model_hash <> ALL (:unserved))"
            + " AND NOT EXISTS (SELECT 1 FROM run r WHERE r.state IN ('waiting', 'running') AND r.id IN " + RUNS + "))";

    private ComparisonTable() {}

    static void insert(JdbcClient client, UUID id, NewComparison wanted, Side baseline, Side candidate, RunIds runs) {
        side(
                        "candidate",
                        candidate,
                        side(
                                "baseline",
                                baseline,
                                client.sql("INSERT INTO recall_comparison (id, owner, purpose, suite_name,"
                                        + " suite_version, seeds, baseline_name, baseline_version, baseline_target,"
                                        + " candidate_name, candidate_version, candidate_target, margin, baseline_run,"
                                        + " candidate_run, again_run, state) VALUES (:id, :owner, :purpose, :suite,"
                                        + " :suiteVersion, :seeds, :baselineName, :baselineVersion, :baselineTarget,"
                                        + " :candidateName, :candidateVersion, :candidateTarget, :margin, :baseline,"
                                        + " :candidate, :again, 'running')")))
                .param("id", id)
                .param("owner", wanted.owner())
                .param("purpose", wanted.purpose().text())
                .param("suite", wanted.suite().name())
                .param("suiteVersion", wanted.suite().version())
                .param("seeds", wanted.seeds().toArray(Long[]::new))
                .param("margin", wanted.rule().margin())
                .param("baseline", runs.baseline())
                .param("candidate", runs.candidate())
                .param("again", runs.again())
                .update();
    }

    private static JdbcClient.StatementSpec side(String name, Side side, JdbcClient.StatementSpec statement) {
        RunConfigRef config = side.runConfig();
        return statement
                .param(name + "Name", config == null ? null : config.name(), Types.VARCHAR)
                .param(name + "Version", config == null ? null : config.version(), Types.INTEGER)
                .param(name + "Target", side.target(), Types.VARCHAR);
    }

    static Optional<StoredComparison> one(JdbcClient client, UUID id) {
        return client.sql("SELECT " + COLUMNS + " FROM recall_comparison WHERE id = :id")
                .param("id", id)
                .query(ComparisonTable::row)
                .optional();
    }

    /** The report of one that has a verdict. */
    static Optional<String> report(JdbcClient client, UUID id) {
        return client.sql("SELECT report FROM recall_comparison WHERE id = :id AND report IS NOT NULL")
                .param("id", id)
                .query(String.class)
                .optional()
                .map(StoredText::decode);
    }

    /** Comparisons in the order of their ids, and one more than the page holds. */
    static List<StoredComparison> page(JdbcClient client, PageRequest page) {
        return client.sql("SELECT " + COLUMNS + " FROM recall_comparison"
                        + (page.after() == null ? "" : page.ascending() ? " WHERE id > :after" : " WHERE id < :after")
                        + " ORDER BY id" + (page.ascending() ? "" : " DESC") + " LIMIT :limit")
                .param("after", page.after() == null ? null : UUID.fromString(page.after()))
                .param("limit", page.limit() + 1)
                .query(ComparisonTable::row)
                .list();
    }

    /** The last comparison of two runs that has ended with a verdict. */
    static Optional<StoredComparison> between(JdbcClient client, UUID baseline, UUID candidate) {
        return client.sql("SELECT " + COLUMNS + " FROM recall_comparison WHERE baseline_run = :baseline"
                        + " AND candidate_run = :candidate AND state = 'finished' ORDER BY id DESC LIMIT 1")
                .param("baseline", baseline)
                .param("candidate", candidate)
                .query(ComparisonTable::row)
                .optional();
    }

    /** Models that comparisons may still need. */
    static List<String> models(JdbcClient client) {
        return client.sql("SELECT DISTINCT m.model_hash FROM recall_comparison c JOIN run m"
                        + " ON m.id IN (c.baseline_run, c.candidate_run) WHERE c." + OPEN + " AND m.target_id IS NULL")
                .query(String.class)
                .list();
    }

    /**
     * A comparison that this server has taken.
     *
     * @param attempts how often servers have tried to bring it further since it last came further, this time included
     */
    record Claimed(StoredComparison comparison, int attempts) {}

    /**
     * Takes a comparison none of whose runs is still being asked, or one that lacks a run, unless another server has it. One
     * that was taken in vain has its next turn later, and after those that nobody has taken yet.
     *
     * @param modelHash of the engine of this server, which alone can make further runs of its model; empty without one. A
     *     comparison that lacks a run is taken whatever its model, which may be served no more
     * @param unserved models of which no further runs are to be expected; their comparisons may still have a verdict
     */
    static Optional<Claimed> claim(JdbcClient client, String modelHash, Set<String> unserved) {
        return client.sql("UPDATE recall_comparison SET claimed_at = clock_timestamp(), attempts = attempts + 1"
                        + " WHERE id = (SELECT c.id FROM recall_comparison c WHERE c." + OPEN
                        + " AND (c.claimed_at IS NULL OR c.claimed_at < clock_timestamp() - make_interval(secs => :age))"
                        + " AND (" + HOPELESS + " OR " + READY + ")"
                        + " ORDER BY c.claimed_at NULLS FIRST, c.id LIMIT 1 FOR UPDATE SKIP LOCKED)"
                        + " RETURNING attempts, " + COLUMNS)
                .param("age", ABANDONED.toSeconds())
                .param("model", modelHash)
                .param("unserved", unserved.toArray(String[]::new))
                .query((row, number) -> new Claimed(row(row, number), row.getInt("attempts")))
                .optional();
    }

    /** Whether one is still at its first runs, which stays so until this transaction ends. */
    static boolean lockRunning(JdbcClient client, UUID id) {
        return client.sql("SELECT 1 FROM recall_comparison WHERE id = :id AND state = 'running' FOR UPDATE")
                .param("id", id)
                .query(Integer.class)
                .optional()
                .isPresent();
    }

    /** Gives back what this server has taken and had no time for, as if it had not. */
    static void giveBack(JdbcClient client, UUID id) {
        client.sql("UPDATE recall_comparison SET claimed_at = NULL, attempts = greatest(attempts - 1, 0)"
                        + " WHERE id = :id AND " + OPEN)
                .param("id", id)
                .update();
    }

    /** Notes the runs of fresh cells; false if another server was first. */
    static boolean confirm(JdbcClient client, UUID id, UUID baseline, UUID candidate) {
        return client.sql("UPDATE recall_comparison SET state = 'confirming', claimed_at = NULL, attempts = 0,"
                                + " fresh_baseline_run = :baseline, fresh_candidate_run = :candidate"
                                + " WHERE id = :id AND state = 'running'")
                        .param("baseline", baseline)
                        .param("candidate", candidate)
                        .param("id", id)
                        .update()
                == 1;
    }

    /** Ends one with a verdict, unless it has ended. */
    static void finish(JdbcClient client, UUID id, String verdict, String sentence, String report) {
        client.sql("UPDATE recall_comparison SET state = 'finished', verdict = :verdict, sentence = :sentence,"
                        + " report = :report, ended_at = clock_timestamp() WHERE id = :id AND " + OPEN)
                .param("verdict", verdict)
                .param("sentence", StoredText.encode(sentence))
                .param("report", StoredText.encode(report))
                .param("id", id)
                .update();
    }

    /** Ends one without a verdict, unless it has ended. */
    static void fail(JdbcClient client, UUID id, String failure) {
        client.sql("UPDATE recall_comparison SET state = 'failed', failure = :failure,"
                        + " ended_at = clock_timestamp() WHERE id = :id AND " + OPEN)
                .param("failure", StoredText.encode(failure))
                .param("id", id)
                .update();
    }

    private static StoredComparison row(ResultSet row, int number) throws SQLException {
        return new StoredComparison(
                row.getObject("id", UUID.class),
                row.getString("owner"),
                Purpose.valueOf(row.getString("purpose").toUpperCase(Locale.ROOT)),
                new SuiteRef(row.getString("suite_name"), row.getInt("suite_version")),
                List.of((Long[]) row.getArray("seeds").getArray()),
                side(row, "baseline"),
                side(row, "candidate"),
                row.getDouble("margin"),
                new RunIds(
                        row.getObject("baseline_run", UUID.class),
                        row.getObject("candidate_run", UUID.class),
                        row.getObject("again_run", UUID.class),
                        row.getObject("fresh_baseline_run", UUID.class),
                        row.getObject("fresh_candidate_run", UUID.class)),
                ComparisonState.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                decoded(row.getString("failure")),
                row.getString("verdict"),
                decoded(row.getString("sentence")),
                instant(row, "created_at"),
                instant(row, "ended_at"));
    }

    private static Side side(ResultSet row, String name) throws SQLException {
        String config = row.getString(name + "_name");
        return new Side(
                config == null ? null : new RunConfigRef(config, row.getInt(name + "_version")),
                row.getString(name + "_target"));
    }

    private static String decoded(String stored) {
        return stored == null ? null : StoredText.decode(stored);
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp time = row.getTimestamp(column);
        return time == null ? null : time.toInstant();
    }
}
