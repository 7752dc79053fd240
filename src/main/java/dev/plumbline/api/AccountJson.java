package dev.plumbline.api;

import dev.plumbline.security.MadeKey;
import dev.plumbline.security.Scope;
import dev.plumbline.security.StoredKey;
import dev.plumbline.security.User;
import java.time.Instant;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Keys and users as JSON, without their secrets. */
final class AccountJson {
    private AccountJson() {}

    static ObjectNode key(StoredKey key) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", key.id().toString())
                .put("object", "api_key")
                .put("name", key.name())
                .put("prefix", key.prefix())
                .put("user", key.user());
        scopes(node.putArray("scopes"), key.scopes());
        return node.put("rate_limit_per_minute", key.rateLimit())
                .put("created", seconds(key.created()))
                .put("last_used", seconds(key.used()))
                .put("expires_at", seconds(key.expires()))
                .put("revoked_at", seconds(key.revoked()));
    }

    /** The only time that the key itself is told. */
    static ObjectNode made(MadeKey made) {
        return key(made.stored()).put("key", made.secret());
    }

    static ObjectNode user(User user) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", user.id().toString())
                .put("object", "user")
                .put("name", user.name());
        scopes(node.putArray("scopes"), user.scopes());
        return node.put("disabled", user.disabled()).put("created", seconds(user.created()));
    }

    private static void scopes(ArrayNode array, Set<Scope> scopes) {
        scopes.stream().sorted().map(Scope::text).forEach(array::add);
    }

    private static Long seconds(Instant time) {
        return time == null ? null : time.getEpochSecond();
    }
}
