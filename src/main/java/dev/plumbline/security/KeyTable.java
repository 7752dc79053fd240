package dev.plumbline.security;

import dev.plumbline.conversation.PageRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code api_key}. */
final class KeyTable {
    private static final String KEYS = "SELECT k.*, array_to_string(k.scopes, ',') AS joined, u.name AS user_name"
            + " FROM api_key k JOIN app_user u ON u.id = k.user_id ";

    private KeyTable() {}

    /** A key that works, unless it expires before it is used. */
    record Working(UUID id, User user, Set<Scope> scopes, Integer rateLimit, Instant expires) {
        boolean expired(Instant now) {
            return expires != null && !expires.isAfter(now);
        }
    }

    /** Stores a new key's hash. */
    static void insert(JdbcClient client, UUID id, UUID user, String secret, NewKey key) {
        client.sql("INSERT INTO api_key (id, user_id, name, hash, prefix, scopes, rate_limit_per_minute, expires_at)"
                        + " VALUES (:id, :user, :name, :hash, :prefix, string_to_array(:scopes, ','), :limit,"
                        + " to_timestamp(:expires))")
                .param("id", id)
                .param("user", user)
                .param("name", key.name())
                .param("hash", ApiKey.hash(secret))
                .param("prefix", ApiKey.prefix(secret))
                .param("scopes", Scope.join(key.scopes()))
                .param("limit", key.rateLimit(), Types.INTEGER)
                .param(
                        "expires",
                        key.expires() == null ? null : (double) key.expires().getEpochSecond(),
                        Types.DOUBLE)
                .update();
    }

    /** The key of a hash, if it is not revoked and its user not disabled. */
    static Optional<Working> working(JdbcClient client, byte[] hash) {
        return client.sql("SELECT u.*, k.id AS key, array_to_string(k.scopes, ',') AS key_scopes,"
                        + " k.rate_limit_per_minute, k.expires_at FROM api_key k JOIN app_user u ON u.id = k.user_id"
                        + " WHERE k.hash = :hash AND k.revoked_at IS NULL AND NOT u.disabled")
                .param("hash", hash)
                .query((row, number) -> {
                    User user = UserTable.row(row, number);
                    Set<Scope> scopes = new HashSet<>(Scope.split(row.getString("key_scopes")));
                    scopes.retainAll(user.scopes());
                    return new Working(
                            row.getObject("key", UUID.class),
                            user,
                            scopes,
                            (Integer) row.getObject("rate_limit_per_minute"),
                            instant(row, "expires_at"));
                })
                .optional();
    }

    /** Revokes a user's keys of a name. */
    static void revokeNamed(JdbcClient client, UUID user, String name) {
        client.sql("UPDATE api_key SET revoked_at = clock_timestamp()"
                        + " WHERE user_id = :user AND name = :name AND revoked_at IS NULL")
                .param("user", user)
                .param("name", name)
                .update();
    }

    /** Revokes a key, once. */
    static void revoke(JdbcClient client, UUID id) {
        client.sql("UPDATE api_key SET revoked_at = clock_timestamp() WHERE id = :id AND revoked_at IS NULL")
                .param("id", id)
                .update();
    }

    static Optional<StoredKey> one(JdbcClient client, UUID id) {
        return client.sql(KEYS + "WHERE k.id = :id")
                .param("id", id)
                .query(KeyTable::row)
                .optional();
    }

    /** Keys after a {@code seq}, and one more than the page holds. */
    static List<StoredKey> page(JdbcClient client, long after, PageRequest page) {
        return client.sql(KEYS + "WHERE k.seq " + Seek.condition(page).replace("ORDER BY seq", "ORDER BY k.seq"))
                .param("after", after)
                .param("limit", page.limit() + 1)
                .query(KeyTable::row)
                .list();
    }

    /** Notes when keys were last used. */
    static void used(JdbcClient client, Map<UUID, Instant> times) {
        times.forEach((id, time) -> client.sql(
                        "UPDATE api_key SET last_used_at = greatest(last_used_at, :time) WHERE id = :id")
                .param("id", id)
                .param("time", Timestamp.from(time))
                .update());
    }

    private static StoredKey row(ResultSet row, int number) throws SQLException {
        return new StoredKey(
                row.getObject("id", UUID.class),
                row.getString("user_name"),
                row.getString("name"),
                row.getString("prefix"),
                Scope.split(row.getString("joined")),
                (Integer) row.getObject("rate_limit_per_minute"),
                instant(row, "created_at"),
                instant(row, "last_used_at"),
                instant(row, "expires_at"),
                instant(row, "revoked_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp time = row.getTimestamp(column);
        return time == null ? null : time.toInstant();
    }
}
