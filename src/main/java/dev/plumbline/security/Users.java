package dev.plumbline.security;

import dev.plumbline.conversation.Page;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.database.Database;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Who may log in. Users are disabled, never deleted: their history stays theirs. Changes are seen within seconds. */
@Component
public final class Users {
    private final Database database;
    private final Passwords passwords = new Passwords();

    Users(Database database) {
        this.database = database;
    }

    /** A part of the list, oldest first. Empty if there is no user {@code page.after()}. */
    public Mono<Page<User>> page(PageRequest page) {
        return database.transaction(client -> Seek.from(client, "app_user", page)
                .map(after -> Page.cut(
                        client.sql("SELECT * FROM app_user WHERE seq " + Seek.condition(page))
                                .param("after", after)
                                .param("limit", page.limit() + 1)
                                .query(UserTable::row)
                                .list(),
                        page.limit()))
                .orElse(null));
    }

    /** Makes a user; fails with an {@link AccountException} if the password is refused or the name taken. */
    public Mono<User> create(NewUser user) {
        UUID id = UUID.randomUUID();
        return hash(user.password())
                .flatMap(hash -> database.transaction(client -> {
                    if (!UserTable.insert(client, id, user.name(), hash.orElseThrow(), user.scopes())) {
                        throw new AccountException("name", "A user of this name exists already.");
                    }
                    return UserTable.one(client, id).orElseThrow();
                }));
    }

    /**
     * Changes a user; empty if there is none. Fails with an {@link AccountException} if the password is refused, or if
     * nobody would be left who may manage users.
     */
    public Mono<User> change(UUID id, UserChange change) {
        return hash(change.password())
                .flatMap(hash -> database.transaction(client -> change(client, id, change, hash)));
    }

    private static User change(JdbcClient client, UUID id, UserChange change, Optional<String> hash) {
        UserTable.lockAdministrators(client);
        hash.ifPresent(known -> UserTable.password(client, id, known));
        if (change.disabled() != null) {
            UserTable.disabled(client, id, change.disabled());
        }
        if (change.scopes() != null) {
            UserTable.scopes(client, id, change.scopes());
        }
        if (UserTable.lockAdministrators(client) == 0) {
            throw new AccountException(
                    change.disabled() != null ? "disabled" : "scopes",
                    "This is the last user with the scope 'admin'; give it to another one first.");
        }
        return UserTable.one(client, id).orElse(null);
    }

    /** Slow, so it must not hold a connection meanwhile. */
    private Mono<Optional<String>> hash(String password) {
        if (password == null) {
            return Mono.just(Optional.empty());
        }
        if (!Passwords.allowed(password)) {
            return Mono.error(new AccountException(
                    "password",
                    "A password has at least " + Passwords.SHORTEST + " characters and at most " + Passwords.LONGEST
                            + " bytes."));
        }
        return Mono.fromCallable(() -> Optional.of(passwords.hash(password))).subscribeOn(Schedulers.boundedElastic());
    }
}
