package dev.plumbline.security;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/** Whoever sent a request, by a key or a session. {@link #getName()} is the owner of their history. */
public final class Caller extends AbstractAuthenticationToken {
    private static final long serialVersionUID = 1L;
    private static final String SESSION = "session";

    private final transient User user;
    private final transient Set<Scope> scopes;
    private final String key;
    private final Integer rateLimit;

    private Caller(User user, Set<Scope> scopes, String key, Integer rateLimit) {
        super(AuthorityUtils.createAuthorityList(
                scopes.stream().map(scope -> "SCOPE_" + scope.text()).collect(Collectors.toList())));
        this.user = user;
        this.scopes = scopes;
        this.key = key;
        this.rateLimit = rateLimit;
        setAuthenticated(true);
    }

    /** Someone with a key; {@code rateLimit} is its own limit, in requests a minute, or null. */
    static Caller byKey(User user, Set<Scope> scopes, String key, Integer rateLimit) {
        return new Caller(user, Set.copyOf(scopes), key, rateLimit);
    }

    /** Someone who has logged in. */
    static Caller bySession(User user) {
        return new Caller(user, Set.copyOf(user.scopes()), SESSION, null);
    }

    /** What their history belongs to. */
    public String owner() {
        return user.id().toString();
    }

    /** What they are called. */
    public String userName() {
        return user.name();
    }

    /** What they may do. */
    public Set<Scope> scopes() {
        return scopes;
    }

    /** What their usage is counted under: the id of a key, {@code PLUMBLINE_API_KEY} or {@code session}. */
    public String key() {
        return key;
    }

    boolean inSession() {
        return key.equals(SESSION);
    }

    Integer rateLimit() {
        return rateLimit;
    }

    UUID userId() {
        return user.id();
    }

    long epoch() {
        return user.epoch();
    }

    @Override
    public String getName() {
        return owner();
    }

    @Override
    public Object getCredentials() {
        return null;
    }

    @Override
    public Object getPrincipal() {
        return owner();
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
