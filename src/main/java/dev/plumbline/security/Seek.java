package dev.plumbline.security;

import dev.plumbline.conversation.PageRequest;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Pages of a table with an {@code id} and a {@code seq}. */
final class Seek {
    private Seek() {}

    /** The {@code seq} after which a page begins; empty if no row has the id that it comes after. */
    static Optional<Long> from(JdbcClient client, String table, PageRequest page) {
        if (page.after() == null) {
            return Optional.of(page.ascending() ? 0L : Long.MAX_VALUE);
        }
        return id(page.after()).flatMap(id -> client.sql("SELECT seq FROM " + table + " WHERE id = :id")
                .param("id", id)
                .query(Long.class)
                .optional());
    }

    /** Rest of a query, with the parameters {@code after} and {@code limit}. */
    static String condition(PageRequest page) {
        return page.ascending() ? "> :after ORDER BY seq LIMIT :limit" : "< :after ORDER BY seq DESC LIMIT :limit";
    }

    private static Optional<UUID> id(String text) {
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
