package dev.plumbline.security;

import org.springframework.security.access.AccessDeniedException;

/** The caller is known and lacks a scope. */
public final class MissingScopeException extends AccessDeniedException {
    private static final long serialVersionUID = 1L;

    private final Scope scope;

    MissingScopeException(Scope scope) {
        super("missing scope " + scope.text());
        this.scope = scope;
    }

    /** The scope that is needed. */
    public Scope scope() {
        return scope;
    }
}
