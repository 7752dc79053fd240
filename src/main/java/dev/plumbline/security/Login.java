package dev.plumbline.security;

import dev.plumbline.database.Database;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Reads the login form and checks its password. Whether the name exists shows in neither answer nor time. */
final class Login implements ServerAuthenticationConverter {
    private static final int LONGEST_NAME = 64;
    private static final int NETWORK_BYTES = 8;
    private static final int THREADS = 2;
    private static final int QUEUED = 200;
    private static final Duration BUSY = Duration.ofSeconds(5);

    private final Database database;
    private final Attempts attempts;
    private final Passwords passwords = new Passwords();

    /** Hashing is slow on purpose: it must occupy neither the database's threads nor all of the machine. */
    private final Scheduler hashing = Schedulers.newBoundedElastic(THREADS, QUEUED, "passwords");

    Login(Database database, Attempts attempts) {
        this.database = database;
        this.attempts = attempts;
    }

    @Override
    public Mono<Authentication> convert(ServerWebExchange exchange) {
        InetSocketAddress remote = exchange.getRequest().getRemoteAddress();
        String address = remote == null || remote.getAddress() == null ? "unknown" : place(remote.getAddress());
        return exchange.getFormData().map(form -> new Form(text(form, "username"), text(form, "password"), address));
    }

    /** An address; of IPv6 the network, since everyone there has more addresses than could be counted. */
    private static String place(InetAddress address) {
        byte[] bytes = address.getAddress();
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(bytes, 0, NETWORK_BYTES)
                : address.getHostAddress();
    }

    private static String text(MultiValueMap<String, String> form, String field) {
        String value = form.getFirst(field);
        return value == null ? "" : value;
    }

    Mono<Authentication> authenticate(Authentication authentication) {
        return authentication instanceof Form form ? check(form) : wrong();
    }

    private Mono<Authentication> check(Form form) {
        return Mono.defer(() -> {
            attempts.begin(form.counted(), form.address);
            return database.recording(() -> database.now(client -> Found.of(client, form.name)))
                    .publishOn(hashing)
                    .filter(found -> passwords.matches(form.password, found.hash) && !found.user.disabled())
                    .doOnNext(found -> attempts.succeeded(form.counted(), form.address))
                    .<Authentication>map(found -> Caller.bySession(found.user))
                    .switchIfEmpty(wrong())
                    .doOnError(
                            failure -> !(failure instanceof BadCredentialsException),
                            failure -> attempts.notJudged(form.counted(), form.address))
                    .onErrorMap(RejectedExecutionException.class, e -> new LoginLockedException(BUSY));
        });
    }

    void close() {
        hashing.dispose();
    }

    private static Mono<Authentication> wrong() {
        return Mono.error(() -> new BadCredentialsException("wrong name or password"));
    }

    /** A user with the hash of their password; both null for a name that nobody has. */
    private record Found(User user, String hash) {
        static Found of(JdbcClient client, String name) {
            return UserTable.named(client, name)
                    .map(user -> new Found(user, UserTable.password(client, user.id())))
                    .orElse(new Found(null, null));
        }
    }

    /** What came with the form and is not checked yet. */
    private static final class Form extends AbstractAuthenticationToken {
        private static final long serialVersionUID = 1L;
        private final transient String name;
        private final transient String password;
        private final transient String address;

        Form(String name, String password, String address) {
            super(AuthorityUtils.NO_AUTHORITIES);
            this.name = name.indexOf(0) < 0 && name.length() <= LONGEST_NAME ? name : "";
            this.password = password;
            this.address = address;
        }

        /** The database compares names in this form too. */
        String counted() {
            return name.toLowerCase(Locale.ROOT);
        }

        @Override
        public Object getCredentials() {
            return null;
        }

        @Override
        public Object getPrincipal() {
            return "unknown";
        }
    }
}
