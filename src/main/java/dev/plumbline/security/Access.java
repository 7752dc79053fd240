package dev.plumbline.security;

import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What whoever starts a server decides about who may call it.
 *
 * @param operatorKey a key of their own with every scope, which works without the database too
 * @param rateLimit most requests a minute of keys that have no limit of their own; null for none
 * @param announce gets the administrator's secrets when they are made, at the first start on a database
 * @param clock tells when sessions and the waits of the login end
 */
public record Access(Optional<ApiKey> operatorKey, Integer rateLimit, Consumer<Credentials> announce, Clock clock) {

    /** With the time of this machine. */
    public Access(Optional<ApiKey> operatorKey, Integer rateLimit, Consumer<Credentials> announce) {
        this(operatorKey, rateLimit, announce, Clock.systemUTC());
    }
}
