package dev.plumbline.api;

import dev.plumbline.http.ApiException;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.Refusal;
import dev.plumbline.security.NewKey;
import dev.plumbline.security.NewUser;
import dev.plumbline.security.Scope;
import dev.plumbline.security.UserChange;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Bodies of requests that concern keys and users. Passwords never come back in a refusal. */
final class AccountParser {
    private static final Pattern USER_NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._@+-]{0,63}");
    private static final Pattern KEY_NAME = Pattern.compile("[^\\p{Cc}]{1,100}");
    private static final int HIGHEST_RATE = 1_000_000;
    private static final long LAST_SECOND =
            Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private AccountParser() {}

    /**
     * A key to be made.
     *
     * @param user whose, by name; null for whoever asks
     */
    record KeyRequest(NewKey key, String user) {}

    static KeyRequest key(JsonFields fields) {
        String name = matching(fields, "name", KEY_NAME, "1 to 100 characters without control characters");
        Set<Scope> scopes = scopes(fields.required("scopes"));
        Long rate = fields.integer("rate_limit_per_minute", 1, HIGHEST_RATE);
        Long expires = fields.integer("expires_at", Instant.now().getEpochSecond() + 1, LAST_SECOND);
        String user = fields.string("user");
        fields.rejectUnread();
        NewKey key = new NewKey(
                name,
                scopes,
                rate == null ? null : rate.intValue(),
                expires == null ? null : Instant.ofEpochSecond(expires));
        return new KeyRequest(key, user);
    }

    static NewUser user(JsonFields fields) {
        String name = matching(
                fields, "name", USER_NAME, "1 to 64 letters, digits and . _ @ + -, the first a letter or digit");
        fields.required("password");
        NewUser user = new NewUser(name, password(fields), scopes(fields.required("scopes")));
        fields.rejectUnread();
        return user;
    }

    static UserChange change(JsonFields fields) {
        JsonNode scopes = fields.node("scopes");
        JsonNode disabled = fields.node("disabled");
        UserChange change = new UserChange(
                password(fields),
                disabled == null ? null : fields.bool("disabled", false),
                scopes == null ? null : scopes(scopes));
        fields.rejectUnread();
        return change;
    }

    private static String password(JsonFields fields) {
        JsonNode value = fields.node("password");
        if (value != null && !value.isString()) {
            throw ApiException.badRequest(
                    "password", "invalid_type", "Invalid type for 'password': expected a string.");
        }
        return fields.string("password");
    }

    private static String matching(JsonFields fields, String field, Pattern pattern, String allowed) {
        JsonNode value = fields.required(field);
        String text = JsonFields.text(value, field);
        if (!pattern.matcher(text).matches()) {
            throw Refusal.value(field, value, allowed);
        }
        return text;
    }

    private static Set<Scope> scopes(JsonNode value) {
        String allowed = Scope.all().stream().map(Scope::text).collect(Collectors.joining(", "));
        if (!value.isArray()) {
            throw Refusal.type("scopes", value, "an array of " + allowed);
        }
        EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
        for (int i = 0; i < value.size(); i++) {
            JsonNode item = value.get(i);
            String path = "scopes." + i;
            scopes.add(Scope.of(JsonFields.text(item, path)).orElseThrow(() -> Refusal.value(path, item, allowed)));
        }
        if (scopes.isEmpty()) {
            throw ApiException.badRequest(
                    "scopes",
                    "empty_array",
                    "Invalid value for 'scopes': []; allowed: at least one of " + allowed + ".");
        }
        return scopes;
    }
}
