package dev.plumbline.security;

import java.time.Instant;
import java.util.Set;

/**
 * A key to be made.
 *
 * @param name what people call it
 * @param scopes what it may do, as far as its user may
 * @param rateLimit most requests a minute, or null for the server's own limit
 * @param expires from when on it is refused, or null
 */
public record NewKey(String name, Set<Scope> scopes, Integer rateLimit, Instant expires) {}
