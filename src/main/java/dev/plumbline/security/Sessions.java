package dev.plumbline.security;

import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseUnavailableException;
import java.time.Clock;
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
 * database does not answer, what was seen last holds.
 */
@Component
final class Sessions implements ServerSecurityContextRepository {
    static final Duration LONGEST = Duration.ofHours(12);

    private static final String LOGIN = Sessions.class.getName() + ".login";
    private static final String SEEN = Sessions.class.getName() + ".seen";

    private final ServerSecurityContextRepository stored = new WebSessionServerSecurityContextRepository();
    private final Database database;
    private final Clock clock;
    private final BriefCache<UUID, User> users = new BriefCache<>();

    Sessions(Database database, Access access) {
        this.database = database;
        this.clock = access.clock();
    }

    /** Gives the session a new id when someone logs in. */
    @Override
    public Mono<Void> save(ServerWebExchange exchange, SecurityContext context) {
        return context != null && context.getAuthentication() instanceof Caller caller
                ? exchange.getSession()
                        .doOnNext(session -> begin(session, caller))
                        .then(Mono.defer(() -> stored.save(exchange, context)))
                : stored.save(exchange, context);
    }

    private void begin(WebSession session, Caller caller) {
        session.getAttributes().put(LOGIN, clock.instant());
        session.getAttributes().remove(SEEN);
        // Their login with a new password must not be judged by what was read before the change.
        users.forget(caller.userId());
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
                .doOnNext(user -> session.getAttributes().put(SEEN, user))
                .map(Caller::bySession)
                .onErrorResume(DatabaseUnavailableException.class, e -> Mono.just(seen(session, caller)))
                .<SecurityContext>map(SecurityContextImpl::new)
                .switchIfEmpty(Mono.defer(() -> session.invalidate().then(Mono.empty())));
    }

    /** Scopes that were taken away stay so. */
    private static Caller seen(WebSession session, Caller caller) {
        User user = session.getAttribute(SEEN);
        return user != null && user.id().equals(caller.userId()) ? Caller.bySession(user) : caller;
    }

    private Mono<User> user(WebSession session, Caller caller) {
        Instant login = session.getAttributeOrDefault(LOGIN, session.getCreationTime());
        if (!login.plus(LONGEST).isAfter(clock.instant())) {
            return Mono.empty();
        }
        return users.get(
                        caller.userId(),
                        id -> database.recording(() ->
                                database.now(client -> UserTable.one(client, id).orElse(null))))
                .filter(user -> !user.disabled() && user.epoch() == caller.epoch());
    }
}
