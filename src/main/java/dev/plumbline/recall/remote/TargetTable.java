package dev.plumbline.recall.remote;

import dev.plumbline.recall.suite.Edges;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** SQL of {@code recall_target}. */
final class TargetTable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String VALUES =
            "name = :name, kind = :kind, url = :url, sealed_key = :key, model = :model, weights = :weights,"
                    + " extra_body = CAST(:extra AS jsonb), window_tokens = :window, budget_tokens = :budget,"
                    + " parallel = :parallel, connect_seconds = :connect, silence_seconds = :silence,"
                    + " answer_seconds = :answer, author = :author";

    private TargetTable() {}

    /** Where a key is sealed for. */
    static String place(UUID id) {
        return "recall_target.sealed_key." + id;
    }

    static StoredTarget insert(JdbcClient client, UUID id, NewTarget wanted, String url, byte[] key, String author) {
        return bind(
                        client.sql("INSERT INTO recall_target (id, name, kind, url, sealed_key, model, weights,"
                                + " extra_body, window_tokens, budget_tokens, parallel, connect_seconds,"
                                + " silence_seconds, answer_seconds, author) VALUES (:id, :name, :kind, :url, :key,"
                                + " :model, :weights, CAST(:extra AS jsonb), :window, :budget, :parallel, :connect,"
                                + " :silence, :answer, :author) RETURNING *"),
                        id,
                        wanted,
                        url,
                        key,
                        author)
                .query(TargetTable::row)
                .single();
    }

    static Optional<StoredTarget> replace(
            JdbcClient client, UUID id, NewTarget wanted, String url, byte[] key, String author) {
        return bind(
                        client.sql("UPDATE recall_target SET " + VALUES
                                + ", updated_at = clock_timestamp() WHERE id = :id RETURNING *"),
                        id,
                        wanted,
                        url,
                        key,
                        author)
                .query(TargetTable::row)
                .optional();
    }

    private static JdbcClient.StatementSpec bind(
            JdbcClient.StatementSpec statement, UUID id, NewTarget wanted, String url, byte[] key, String author) {
        return statement
                .param("id", id)
                .param("name", wanted.name())
                .param("kind", wanted.kind().text())
                .param("url", url)
                .param("key", key)
                .param("model", wanted.model())
                .param("weights", wanted.weights())
                .param("extra", JSON.writeValueAsString(wanted.extraBody()))
                .param("window", wanted.edges().window())
                .param("budget", wanted.edges().budget())
                .param("parallel", wanted.parallel())
                .param("connect", wanted.patience().connectSeconds())
                .param("silence", wanted.patience().silenceSeconds())
                .param("answer", wanted.patience().answerSeconds())
                .param("author", author);
    }

    /** That of an id, or else of a name. */
    static Optional<StoredTarget> one(JdbcClient client, String idOrName) {
        return client.sql("SELECT * FROM recall_target WHERE id::text = :wanted OR name = :wanted"
                        + " ORDER BY id::text = :wanted DESC LIMIT 1")
                .param("wanted", idOrName)
                .query(TargetTable::row)
                .optional();
    }

    static Optional<StoredTarget> delete(JdbcClient client, UUID id) {
        return client.sql("DELETE FROM recall_target WHERE id = :id RETURNING *")
                .param("id", id)
                .query(TargetTable::row)
                .optional();
    }

    /** Those after a name, and one more than the page holds. */
    static List<StoredTarget> page(JdbcClient client, String after, boolean ascending, int limit) {
        return client.sql("SELECT * FROM recall_target"
                        + (after == null ? "" : " WHERE name " + (ascending ? ">" : "<") + " :after")
                        + " ORDER BY name" + (ascending ? "" : " DESC") + " LIMIT :limit")
                .param("after", after)
                .param("limit", limit + 1)
                .query(TargetTable::row)
                .list();
    }

    private static StoredTarget row(ResultSet row, int number) throws SQLException {
        byte[] key = row.getBytes("sealed_key");
        RemoteTarget target = new RemoteTarget(
                row.getObject("id", UUID.class),
                row.getString("name"),
                TargetKind.of(row.getString("kind")).orElseThrow(),
                row.getString("url"),
                key != null,
                row.getString("model"),
                row.getString("weights"),
                JSON.readValue(row.getString("extra_body"), new TypeReference<Map<String, Object>>() {}),
                new Edges(row.getInt("window_tokens"), row.getInt("budget_tokens")),
                row.getInt("parallel"),
                new Patience(
                        row.getInt("connect_seconds"), row.getInt("silence_seconds"), row.getInt("answer_seconds")),
                row.getString("author"),
                row.getTimestamp("created_at").toInstant(),
                row.getTimestamp("updated_at").toInstant());
        return new StoredTarget(target, key);
    }
}
