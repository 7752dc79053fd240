package dev.plumbline.security;

import dev.plumbline.database.Database;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The first user, whom every database has and whom the operator's own key belongs to. */
public final class Administrator {
    /** The same in every database, so that the operator's key has an owner while there is none. */
    static final UUID ID = new UUID(0, 1);

    static final String NAME = "admin";

    private static final String KEY_NAME = "printed for the administrator";

    private Administrator() {}

    /**
     * Makes the administrator unless there is one.
     *
     * @throws dev.plumbline.database.DatabaseUnavailableException if the database does not answer
     */
    static Optional<Credentials> create(Database database) {
        if (database.now(client -> UserTable.one(client, ID).isPresent())) {
            return Optional.empty();
        }
        Credentials made = credentials();
        String hash = new Passwords().hash(made.password());
        // Another server may be at the same point; the first to commit tells its secrets.
        boolean first = database.now(client -> {
            boolean inserted = UserTable.insert(client, ID, NAME, hash, Scope.all());
            if (inserted) {
                insertKey(client, made);
            }
            return inserted;
        });
        return first ? Optional.of(made) : Optional.empty();
    }

    /**
     * Gives the administrator a new password and a new key with every scope. The key that was printed before is revoked,
     * sessions end.
     *
     * @throws dev.plumbline.database.DatabaseUnavailableException if the database does not answer
     */
    public static Credentials reset(Database database) {
        Credentials made = credentials();
        String hash = new Passwords().hash(made.password());
        return database.now(client -> {
            UserTable.insert(client, ID, NAME, hash, Scope.all());
            UserTable.password(client, ID, hash);
            UserTable.scopes(client, ID, Scope.all());
            UserTable.disabled(client, ID, false);
            KeyTable.revokeNamed(client, ID, KEY_NAME);
            insertKey(client, made);
            return made;
        });
    }

    /** Stands for the administrator where no database is asked. */
    static User withoutDatabase() {
        return new User(ID, NAME, Scope.all(), false, 0, java.time.Instant.EPOCH);
    }

    private static Credentials credentials() {
        return new Credentials(NAME, Passwords.random(), ApiKey.random());
    }

    private static void insertKey(JdbcClient client, Credentials made) {
        NewKey key = new NewKey(KEY_NAME, Set.copyOf(Scope.all()), null, null);
        KeyTable.insert(client, UUID.randomUUID(), ID, made.key(), key);
    }
}
