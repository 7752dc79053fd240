package dev.plumbline.security;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a key or a user may do. None includes another. */
public enum Scope {
    /** Models, chats and the caller's own history. */
    CHAT,
    /** Metrics and the state of the engine. */
    OPERATE,
    /** Keys and users. */
    ADMIN;

    private static final String SEPARATOR = ",";

    /** Its name in the API and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The scope of that name. */
    public static Optional<Scope> of(String text) {
        return Stream.of(values()).filter(scope -> scope.text().equals(text)).findFirst();
    }

    /** All of them. */
    public static Set<Scope> all() {
        return EnumSet.allOf(Scope.class);
    }

    /** Names in one text, as {@link #split} reads it. */
    static String join(Collection<Scope> scopes) {
        return scopes.stream().sorted().map(Scope::text).collect(Collectors.joining(SEPARATOR));
    }

    static Set<Scope> split(String joined) {
        EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
        Stream.of(joined.split(SEPARATOR))
                .map(Scope::of)
                .flatMap(Optional::stream)
                .forEach(scopes::add);
        return scopes;
    }
}
