package dev.plumbline.runconfig;

import dev.plumbline.document.DocumentFields;
import dev.plumbline.precision.Flag;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** SQL of {@code run_config}. */
final class RunConfigTable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int MOST_NAMES = 10_000;

    private RunConfigTable() {}

    /** Makes others that save a version of this name wait until this transaction ends. */
    static void lock(JdbcClient client, String name) {
        client.sql("SELECT pg_advisory_xact_lock(hashtextextended(:name, 5))::text")
                .param("name", name)
                .query(String.class)
                .list();
    }

    static Optional<RunConfig> one(JdbcClient client, RunConfigRef ref) {
        return client.sql("SELECT * FROM run_config WHERE name = :name"
                        + (ref.version() == null ? " ORDER BY version DESC LIMIT 1" : " AND version = :version"))
                .param("name", ref.name())
                .param("version", ref.version() == null ? 0 : ref.version())
                .query(RunConfigTable::row)
                .optional();
    }

    static RunConfig insert(JdbcClient client, NewRunConfig config, int version, String author) {
        return client.sql("INSERT INTO run_config (name, version, profile, sampling, description, author)"
                        + " VALUES (:name, :version, CAST(:profile AS jsonb), CAST(:sampling AS jsonb), :description,"
                        + " :author) RETURNING *")
                .param("name", config.name())
                .param("version", version)
                .param("profile", JSON.writeValueAsString(config.profile().flags()))
                .param("sampling", JSON.writeValueAsString(config.sampling().fields()))
                .param("description", config.description())
                .param("author", author)
                .query(RunConfigTable::row)
                .single();
    }

    /** The latest version of each name after {@code after}, and one more than the page holds. */
    static List<RunConfig> latest(JdbcClient client, String after, boolean ascending, int limit) {
        return client.sql("SELECT DISTINCT ON (name) * FROM run_config"
                        + (after == null ? "" : " WHERE name " + (ascending ? ">" : "<") + " :after")
                        + " ORDER BY name" + (ascending ? "" : " DESC") + ", version DESC LIMIT :limit")
                .param("after", after)
                .param("limit", limit + 1)
                .query(RunConfigTable::row)
                .list();
    }

    /** Versions of a name, and one more than the page holds. */
    static List<RunConfig> versions(JdbcClient client, String name, Integer after, boolean ascending, int limit) {
        int start = after != null ? after : ascending ? 0 : Integer.MAX_VALUE;
        return client.sql("SELECT * FROM run_config WHERE name = :name AND version " + (ascending ? ">" : "<")
                        + " :after ORDER BY version" + (ascending ? "" : " DESC") + " LIMIT :limit")
                .param("name", name)
                .param("after", start)
                .param("limit", limit + 1)
                .query(RunConfigTable::row)
                .list();
    }

    static List<String> names(JdbcClient client) {
        return client.sql("SELECT DISTINCT name FROM run_config LIMIT " + MOST_NAMES)
                .query(String.class)
                .list();
    }

    private static RunConfig row(ResultSet row, int number) throws SQLException {
        return new RunConfig(
                row.getString("name"),
                row.getInt("version"),
                profile(row.getString("profile")),
                sampling(row.getString("sampling")),
                row.getString("description"),
                row.getString("author"),
                row.getTimestamp("created_at").toInstant());
    }

    /** As it was written: what this program cannot honour any more is refused when it is used, not when it is listed. */
    private static ConfigProfile profile(String json) {
        Map<Flag, String> written = new LinkedHashMap<>();
        JSON.readValue(json, new TypeReference<Map<String, String>>() {})
                .forEach((key, value) -> written.put(
                        Flag.byKey(key).orElseThrow(() -> new IllegalStateException("run_config has the flag " + key)),
                        value));
        return new ConfigProfile(written);
    }

    private static SamplingDefaults sampling(String json) {
        return SamplingDefaults.of(
                new DocumentFields(JSON.readValue(json, new TypeReference<Map<String, Object>>() {}), "sampling"));
    }
}
