package dev.plumbline.security;

/** A change of users or keys that cannot be made, in words for whoever asked for it. */
public final class AccountException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;

    AccountException(String field, String message) {
        super(message, null, false, false);
        this.field = field;
    }

    /** What of the request was wrong. */
    public String field() {
        return field;
    }
}
