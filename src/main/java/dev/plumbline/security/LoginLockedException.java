package dev.plumbline.security;

import java.time.Duration;
import org.springframework.security.core.AuthenticationException;

/** Too many wrong passwords came for a name or from an address. */
final class LoginLockedException extends AuthenticationException {
    private static final long serialVersionUID = 1L;

    private final Duration left;

    LoginLockedException(Duration left) {
        super("too many wrong passwords");
        this.left = left;
    }

    /** Time to wait. */
    Duration left() {
        return left;
    }
}
