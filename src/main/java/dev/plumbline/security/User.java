package dev.plumbline.security;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * Someone who may log in and have keys.
 *
 * @param id what their history belongs to; never given to another
 * @param name what they are called at the login
 * @param scopes what they may do; their keys may do no more
 * @param disabled whether login and keys are refused
 * @param epoch grows when all their sessions end
 * @param created when they were made
 */
public record User(UUID id, String name, Set<Scope> scopes, boolean disabled, long epoch, Instant created) {}
