package dev.plumbline.security;

import dev.plumbline.database.Database;
import dev.plumbline.testing.TestDatabase;
import java.util.Set;
import java.util.UUID;

/**
 * A user straight in the database.
 *
 * @param id what their history belongs to
 * @param name a name of their own
 * @param password for the login
 * @param key a key with all of the user's scopes
 */
public record TestUser(UUID id, String name, String password, String key) {

    /** Makes one in the database that tests share. */
    public static TestUser create(Scope... scopes) {
        try (Database database = TestDatabase.open()) {
            return create(database, scopes);
        }
    }

    /** Makes one. */
    public static TestUser create(Database database, Scope... scopes) {
        UUID id = UUID.randomUUID();
        TestUser user = new TestUser(id, "user-" + id, Passwords.random(), ApiKey.random());
        String hash = new Passwords().hash(user.password);
        return database.now(client -> {
            UserTable.insert(client, id, user.name, hash, Set.of(scopes));
            KeyTable.insert(
                    client, UUID.randomUUID(), id, user.key, new NewKey("a test's", Set.of(scopes), null, null));
            return user;
        });
    }
}
