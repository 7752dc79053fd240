package dev.plumbline.security;

import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.server.context.ServerSecurityContextRepository;
import org.springframework.security.web.server.context.WebSessionServerSecurityContextRepository;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Mono;

/**
 * Sessions of people who have logged in. With every request their user is looked at again: scopes are those of now, and
 * a session ends with its user's password, when the user is disabled, and {@link #LONGEST} after its login. While the
 * database does not answer, what was true at the login holds.
 */
@Component
final class Sessions implements ServerSecurityContextRepository {
    static final Duration LONGEST = Duration.ofHours(12);

    private final ServerSecurityContextRepository stored = new WebSessionServerSecurityContextRepository();
    private final Database database;
    private final BriefCache<UUID, User> users = new BriefCache<>();

    Sessions(Database database) {
        this.database = database;
    }

    /** Gives the session a new id when someone logs in. */
    @Override
    public Mono<Void> save(ServerWebExchange exchange, SecurityContext context) {
        return stored.save(exchange, context);
    }

    @Override
    public Mono<SecurityContext> load(ServerWebExchange exchange) {
        return stored.load(exchange)
                .flatMap(context -> context.getAuthentication() instanceof Caller caller
                        ? exchange.getSession().flatMap(session -> current(session, caller))
                        : Mono.empty());
    }

    private Mono<SecurityContext> current(WebSession session, Caller caller) {
        return user(session, caller)
                .<SecurityContext>map(user -> new SecurityContextImpl(Caller.bySession(user)))
                .onErrorResume(DatabaseUnavailableException.class, e -> Mono.just(new SecurityContextImpl(caller)))
                .switchIfEmpty(Mono.defer(() -> session.invalidate().then(Mono.empty())));
    }

    private Mono<User> user(WebSession session, Caller caller) {
        if (session.getCreationTime().plus(LONGEST).isBefore(Instant.now())) {
            return Mono.empty();
        }
        return users.get(
                        caller.userId(),
                        id -> database.recording(() ->
                                database.now(client -> UserTable.one(client, id).orElse(null))))
                .filter(user -> !user.disabled() && user.epoch() == caller.epoch());
    }
}
