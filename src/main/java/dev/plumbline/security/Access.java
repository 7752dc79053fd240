package dev.plumbline.security;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * What whoever starts a server decides about who may call it.
 *
 * @param operatorKey a key of their own with every scope, which works without the database too
 * @param announce gets the administrator's secrets when they are made, at the first start on a database
 */
public record Access(Optional<ApiKey> operatorKey, Consumer<Credentials> announce) {}
