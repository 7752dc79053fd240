package dev.plumbline.http;

import java.util.Optional;
import java.util.UUID;

/** Ids as clients write them. */
public final class Ids {
    private Ids() {}

    /** The id, or empty for a text that is none: what it names does not exist. */
    public static Optional<UUID> parse(String text) {
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equalsIgnoreCase(text) ? Optional.of(id) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
