package dev.plumbline.security;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * What is known of a key, which is not the key itself.
 *
 * @param id names it
 * @param user name of the user to whom it belongs
 * @param name what people call it
 * @param prefix its first characters
 * @param scopes what it may do, as far as its user may
 * @param rateLimit most requests a minute, or null for the server's own limit
 * @param created when it was made
 * @param used when it was last used, to within seconds, or null
 * @param expires from when on it is refused, or null
 * @param revoked when it was revoked, or null
 */
public record StoredKey(
        UUID id,
        String user,
        String name,
        String prefix,
        Set<Scope> scopes,
        Integer rateLimit,
        Instant created,
        Instant used,
        Instant expires,
        Instant revoked) {}
