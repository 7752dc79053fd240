package dev.plumbline.security;

import dev.plumbline.conversation.Page;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.database.Database;
import java.util.UUID;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Keys of all users. They are revoked, never deleted: usage is counted under their ids. */
@Component
public final class Keys {
    private final Database database;

    Keys(Database database) {
        this.database = database;
    }

    /** A part of the list. Empty if there is no key {@code page.after()}. */
    public Mono<Page<StoredKey>> page(PageRequest page) {
        return database.transaction(client -> Seek.from(client, "api_key", page)
                .map(after -> Page.cut(KeyTable.page(client, after, page), page.limit()))
                .orElse(null));
    }

    /**
     * Makes a key for a user, by name, or for whoever asks if that is null. Fails with an {@link AccountException} if
     * there is no such user or the key could do what its user may not.
     */
    public Mono<MadeKey> create(NewKey key, String userName, Caller asking) {
        String secret = ApiKey.random();
        UUID id = UUID.randomUUID();
        return database.transaction(client -> {
            User user = (userName == null ? UserTable.one(client, asking.userId()) : UserTable.named(client, userName))
                    .orElseThrow(() -> new AccountException("user", "There is no such user."));
            for (Scope scope : key.scopes()) {
                if (!user.scopes().contains(scope)) {
                    throw new AccountException(
                            "scopes", "The user lacks the scope '" + scope.text() + "', so their keys cannot have it.");
                }
            }
            KeyTable.insert(client, id, user.id(), secret, key);
            return new MadeKey(secret, KeyTable.one(client, id).orElseThrow());
        });
    }

    /** Revokes a key, which is refused everywhere {@link BriefCache#AGE} later; empty if there is none. */
    public Mono<StoredKey> revoke(UUID id) {
        return database.transaction(client -> {
            KeyTable.revoke(client, id);
            return KeyTable.one(client, id).orElse(null);
        });
    }
}
