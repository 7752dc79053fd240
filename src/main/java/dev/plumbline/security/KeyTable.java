package dev.plumbline.security;

import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code api_key}. */
final class KeyTable {
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
                .param("limit", key.rateLimit(), java.sql.Types.INTEGER)
                .param(
                        "expires",
                        key.expires() == null ? null : (double) key.expires().getEpochSecond(),
                        java.sql.Types.DOUBLE)
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
                    var expires = row.getTimestamp("expires_at");
                    return new Working(
                            row.getObject("key", UUID.class),
                            user,
                            scopes,
                            (Integer) row.getObject("rate_limit_per_minute"),
                            expires == null ? null : expires.toInstant());
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
}
