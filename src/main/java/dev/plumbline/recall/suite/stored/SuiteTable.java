package dev.plumbline.recall.suite.stored;

import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteYaml;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code suite}. */
final class SuiteTable {
    private static final int MOST_NAMES = 10_000;

    private SuiteTable() {}

    /** Makes others that save a version of this name wait until this transaction ends. */
    static void lock(JdbcClient client, String name) {
        client.sql("SELECT pg_advisory_xact_lock(hashtextextended(:name, 7))::text")
                .param("name", name)
                .query(String.class)
                .list();
    }

    static Optional<StoredSuite> one(JdbcClient client, SuiteRef ref) {
        return client.sql("SELECT * FROM suite WHERE name = :name"
                        + (ref.version() == null ? " ORDER BY version DESC LIMIT 1" : " AND version = :version"))
                .param("name", ref.name())
                .param("version", ref.version() == null ? 0 : ref.version())
                .query(SuiteTable::row)
                .optional();
    }

    static StoredSuite insert(JdbcClient client, Suite suite, boolean builtIn, String author) {
        return client.sql("INSERT INTO suite (name, version, document, hash, built_in, author)"
                        + " VALUES (:name, :version, :document, :hash, :builtIn, :author) RETURNING *")
                .param("name", suite.name())
                .param("version", suite.version())
                .param("document", SuiteYaml.write(suite))
                .param("hash", suite.hash())
                .param("builtIn", builtIn)
                .param("author", author)
                .query(SuiteTable::row)
                .single();
    }

    /** Every version of a name that came with a program. */
    static List<StoredSuite> builtIn(JdbcClient client, String name) {
        return client.sql("SELECT * FROM suite WHERE name = :name AND built_in ORDER BY version")
                .param("name", name)
                .query(SuiteTable::row)
                .list();
    }

    /** The latest version of each name after {@code after}, and one more than the page holds. */
    static List<StoredSuite> latest(JdbcClient client, String after, boolean ascending, int limit) {
        return client.sql("SELECT DISTINCT ON (name) * FROM suite"
                        + (after == null ? "" : " WHERE name " + (ascending ? ">" : "<") + " :after")
                        + " ORDER BY name" + (ascending ? "" : " DESC") + ", version DESC LIMIT :limit")
                .param("after", after)
                .param("limit", limit + 1)
                .query(SuiteTable::row)
                .list();
    }

    /** Versions of a name, and one more than the page holds. */
    static List<StoredSuite> versions(JdbcClient client, String name, Integer after, boolean ascending, int limit) {
        int start = after != null ? after : ascending ? 0 : Integer.MAX_VALUE;
        return client.sql("SELECT * FROM suite WHERE name = :name AND version " + (ascending ? ">" : "<")
                        + " :after ORDER BY version" + (ascending ? "" : " DESC") + " LIMIT :limit")
                .param("name", name)
                .param("after", start)
                .param("limit", limit + 1)
                .query(SuiteTable::row)
                .list();
    }

    static List<String> names(JdbcClient client) {
        return client.sql("SELECT DISTINCT name FROM suite ORDER BY name LIMIT " + MOST_NAMES)
                .query(String.class)
                .list();
    }

    static List<Integer> versionNumbers(JdbcClient client, String name) {
        return client.sql("SELECT version FROM suite WHERE name = :name ORDER BY version DESC LIMIT " + MOST_NAMES)
                .param("name", name)
                .query(Integer.class)
                .list();
    }

    private static StoredSuite row(ResultSet row, int number) throws SQLException {
        return new StoredSuite(
                SuiteYaml.read(row.getString("document").getBytes(StandardCharsets.UTF_8)),
                row.getString("hash"),
                row.getBoolean("built_in"),
                row.getString("author"),
                row.getTimestamp("created_at").toInstant());
    }
}
