package dev.plumbline.security;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code app_user}. */
final class UserTable {
    private UserTable() {}

    /** A user's row; false if id or name are taken. */
    static boolean insert(JdbcClient client, UUID id, String name, String password, Set<Scope> scopes) {
        return client.sql("INSERT INTO app_user (id, name, password, scopes)"
                                + " VALUES (:id, :name, :password, string_to_array(:scopes, ','))"
                                + " ON CONFLICT DO NOTHING")
                        .param("id", id)
                        .param("name", name)
                        .param("password", password)
                        .param("scopes", Scope.join(scopes))
                        .update()
                == 1;
    }

    static Optional<User> one(JdbcClient client, UUID id) {
        return client.sql("SELECT * FROM app_user WHERE id = :id")
                .param("id", id)
                .query(UserTable::row)
                .optional();
    }

    static Optional<User> named(JdbcClient client, String name) {
        return client.sql("SELECT * FROM app_user WHERE lower(name) = lower(:name)")
                .param("name", name)
                .query(UserTable::row)
                .optional();
    }

    /** The hash of a user's password. */
    static String password(JdbcClient client, UUID id) {
        return client.sql("SELECT password FROM app_user WHERE id = :id")
                .param("id", id)
                .query(String.class)
                .single();
    }

    /** Changes the password and ends every session. */
    static void password(JdbcClient client, UUID id, String hash) {
        client.sql("UPDATE app_user SET password = :hash, session_epoch = session_epoch + 1 WHERE id = :id")
                .param("hash", hash)
                .param("id", id)
                .update();
    }

    static void scopes(JdbcClient client, UUID id, Set<Scope> scopes) {
        client.sql("UPDATE app_user SET scopes = string_to_array(:scopes, ',') WHERE id = :id")
                .param("scopes", Scope.join(scopes))
                .param("id", id)
                .update();
    }

    /** Disabling ends every session. */
    static void disabled(JdbcClient client, UUID id, boolean disabled) {
        client.sql("UPDATE app_user SET disabled = :disabled,"
                        + " session_epoch = session_epoch + CASE WHEN :disabled THEN 1 ELSE 0 END WHERE id = :id")
                .param("disabled", disabled)
                .param("id", id)
                .update();
    }

    /** The number of those who may manage users; nobody else changes it until the transaction ends. */
    static int lockAdministrators(JdbcClient client) {
        return client.sql(
                        "SELECT id FROM app_user WHERE 'admin' = ANY (scopes) AND NOT disabled ORDER BY id FOR UPDATE")
                .query(UUID.class)
                .list()
                .size();
    }

    static User row(ResultSet row, int number) throws SQLException {
        return new User(
                row.getObject("id", UUID.class),
                row.getString("name"),
                Scope.split(String.join(",", (String[]) row.getArray("scopes").getArray())),
                row.getBoolean("disabled"),
                row.getLong("session_epoch"),
                row.getTimestamp("created_at").toInstant());
    }
}
