package dev.plumbline.recall.run;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.conversation.StoredText;
import dev.plumbline.recall.remote.PromptMeasure;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.runconfig.RunConfigRef;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** SQL of {@code run} and {@code run_haystack}. */
final class RunTable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<LinkedHashMap<String, String>> PAIRS = new TypeReference<>() {};

    private RunTable() {}

    static void insert(JdbcClient client, StoredRun run, String haystack) {
        client.sql("INSERT INTO run (id, owner, purpose, suite_name, suite_version, suite_hash, suite_yaml,"
                        + " edge_window, edge_budget, seeds, config_name, config_version, target_id, prompts_of,"
                        + " model_hash, target, flags, measure, scorer, cells) VALUES (:id, :owner, :purpose, :suite,"
                        + " :version, :hash, :yaml, :window, :budget, :seeds, :configName, :configVersion, :targetId,"
                        + " :promptsOf, :model, CAST(:target AS json), CAST(:flags AS json), :measure, :scorer,"
                        + " :cells)")
                .param("id", run.id())
                .param("owner", run.owner())
                .param("purpose", run.purpose().text())
                .param("suite", run.suite().name())
                .param("version", run.suite().version())
                .param("hash", run.suite().hash())
                .param("yaml", SuiteYaml.write(run.suite()))
                .param("window", run.edges().window())
                .param("budget", run.edges().budget())
                .param("seeds", run.seeds().toArray(Long[]::new))
                .param(
                        "configName",
                        run.runConfig() == null ? null : run.runConfig().name(),
                        Types.VARCHAR)
                .param(
                        "configVersion",
                        run.runConfig() == null ? null : run.runConfig().version(),
                        Types.INTEGER)
                .param("targetId", run.targetId(), Types.OTHER)
                .param("promptsOf", run.promptsOf(), Types.OTHER)
                .param("model", run.target().modelHash())
                .param("target", json(run.target()))
                .param("flags", json(run.flags()))
                .param("measure", run.measure())
                .param("scorer", run.scorer())
                .param("cells", run.counts().cells())
                .update();
        if (haystack != null) {
            client.sql("INSERT INTO run_haystack (run_id, text) VALUES (:id, :text)")
                    .param("id", run.id())
                    .param("text", haystack)
                    .update();
        }
    }

    static Optional<StoredRun> one(JdbcClient client, UUID id) {
        return client.sql("SELECT * FROM run WHERE id = :id")
                .param("id", id)
                .query(RunTable::row)
                .optional();
    }

    /** The same, and others that would change it wait until this transaction ends. */
    static Optional<StoredRun> lock(JdbcClient client, UUID id) {
        return client.sql("SELECT * FROM run WHERE id = :id FOR UPDATE")
                .param("id", id)
                .query(RunTable::row)
                .optional();
    }

    static Optional<String> haystack(JdbcClient client, UUID id) {
        return client.sql("SELECT text FROM run_haystack WHERE run_id = :id")
                .param("id", id)
                .query(String.class)
                .optional();
    }

    /** Runs that some fields of a filter leave, and one more than the page holds. */
    static List<StoredRun> page(JdbcClient client, PageRequest page, RunFilter filter) {
        return client.sql("SELECT * FROM run WHERE true"
                        + (page.after() == null ? "" : page.ascending() ? " AND id > :after" : " AND id < :after")
                        + (filter.suite() == null ? "" : " AND suite_name = :suite")
                        + (filter.suiteVersion() == null ? "" : " AND suite_version = :suiteVersion")
                        + (filter.runConfig() == null ? "" : " AND config_name = :config")
                        + (filter.configVersion() == null ? "" : " AND config_version = :configVersion")
                        + (filter.state() == null ? "" : " AND state = :state")
                        + " ORDER BY id" + (page.ascending() ? "" : " DESC") + " LIMIT :limit")
                .param("after", page.after() == null ? null : UUID.fromString(page.after()))
                .param("suite", filter.suite() == null ? null : filter.suite().name())
                .param("suiteVersion", filter.suiteVersion())
                .param(
                        "config",
                        filter.runConfig() == null ? null : filter.runConfig().name())
                .param("configVersion", filter.configVersion())
                .param("state", filter.state() == null ? null : filter.state().text())
                .param("limit", page.limit() + 1)
                .query(RunTable::row)
                .list();
    }

    /**
     * A run with cells that nobody has claimed.
     *
     * @param isNative whether the engine answers
     */
    record Claimable(UUID id, boolean isNative) {}

    /** Such runs that a server can ask which hosts a model, the first first. */
    static List<Claimable> claimable(JdbcClient client, String modelHash, int limit) {
        return client.sql("SELECT r.id, r.target_id FROM run r WHERE r.state IN ('waiting', 'running')"
                        + " AND EXISTS (SELECT 1 FROM"
                        + " run_cell c WHERE c.run_id = r.id AND c.state = 'waiting')"
                        // The measure of prompts that are another run's comes when that one begins.
                        + " AND NOT (r.measure = '' AND EXISTS (SELECT 1 FROM run p WHERE p.id = r.prompts_of"
                        + " AND p.state = 'waiting' AND p.measure = ''))"
                        + " AND CASE WHEN r.target_id IS NULL THEN r.model_hash = :model"
                        // Prompts in tokens are made by whoever has the tokenizer.
                        + " ELSE NOT starts_with(r.measure, :tokenizer) OR r.measure = :tokenizer || :model END"
                        + " ORDER BY r.id LIMIT :limit")
                .param("model", modelHash)
                .param("tokenizer", PromptMeasure.TOKENIZER)
                .param("limit", limit)
                .query((row, number) ->
                        new Claimable(row.getObject("id", UUID.class), row.getObject("target_id") == null))
                .list();
    }

    /** Notes what only an open target knows; false if another server was first or the run has ended. */
    static boolean begin(JdbcClient client, UUID id, TargetRecord target, Map<String, String> flags, String measure) {
        boolean first = client.sql("UPDATE run SET state = 'running', started_at = clock_timestamp(),"
                                + " target = CAST(:target AS json), flags = CAST(:flags AS json), measure = :measure"
                                + " WHERE id = :id AND state = 'waiting'")
                        .param("target", json(target))
                        .param("flags", json(flags))
                        .param("measure", measure)
                        .param("id", id)
                        .update()
                == 1;
        if (first) {
            PromptsOf.measured(client, id, measure);
        }
        return first;
    }

    /** Ends a run that has not ended; false if it has. {@code failure} is null but for a failed one. */
    static boolean end(JdbcClient client, UUID id, RunState state, String failure) {
        return client.sql("UPDATE run SET state = :state, failure = :failure, ended_at = clock_timestamp()"
                                + " WHERE id = :id AND state IN ('waiting', 'running')")
                        .param("state", state.text())
                        .param("failure", failure == null ? null : StoredText.encode(failure), Types.VARCHAR)
                        .param("id", id)
                        .update()
                == 1;
    }

    static boolean delete(JdbcClient client, UUID id) {
        return client.sql("DELETE FROM run WHERE id = :id").param("id", id).update() == 1;
    }

    private static StoredRun row(ResultSet row, int number) throws SQLException {
        String config = row.getString("config_name");
        return new StoredRun(
                row.getObject("id", UUID.class),
                row.getString("owner"),
                Purpose.valueOf(row.getString("purpose").toUpperCase(Locale.ROOT)),
                SuiteYaml.read(row.getString("suite_yaml").getBytes(StandardCharsets.UTF_8)),
                new Edges(row.getInt("edge_window"), row.getInt("edge_budget")),
                List.of((Long[]) row.getArray("seeds").getArray()),
                config == null ? null : new RunConfigRef(config, row.getInt("config_version")),
                row.getObject("target_id", UUID.class),
                row.getObject("prompts_of", UUID.class),
                target(row.getString("target"), row.getString("model_hash")),
                JSON.readValue(row.getString("flags"), PAIRS),
                row.getString("measure"),
                row.getString("scorer"),
                RunState.of(row.getString("state")).orElseThrow(),
                row.getString("failure") == null ? null : StoredText.decode(row.getString("failure")),
                new RunCounts(
                        row.getInt("cells"),
                        row.getInt("passed"),
                        row.getInt("failed"),
                        row.getInt("truncated"),
                        row.getInt("errors")),
                row.getLong("events"),
                instant(row, "created_at"),
                instant(row, "started_at"),
                instant(row, "ended_at"));
    }

    private static String json(TargetRecord target) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("kind", target.kind())
                .put("name", target.name())
                .put("model", target.model());
        ObjectNode facts = node.putObject("facts");
        target.facts().forEach(facts::put);
        return StoredText.encode(node.toString());
    }

    private static TargetRecord target(String json, String modelHash) {
        var node = JSON.readTree(StoredText.decode(json));
        return new TargetRecord(
                node.path("kind").asString(),
                node.path("name").asString(),
                node.path("model").asString(),
                modelHash,
                JSON.convertValue(node.path("facts"), PAIRS));
    }

    private static String json(Map<String, String> flags) {
        return JSON.writeValueAsString(flags);
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp time = row.getTimestamp(column);
        return time == null ? null : time.toInstant();
    }
}
