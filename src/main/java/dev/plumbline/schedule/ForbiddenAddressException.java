package dev.plumbline.schedule;

/** A webhook leads to an address that events must not be sent to. */
final class ForbiddenAddressException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What to do about it, in words. */
    static final String WORDS =
            "the host is not at a public address; the operator allows others by PLUMBLINE_WEBHOOK_NETWORKS";

    ForbiddenAddressException() {
        super(WORDS, null, false, false);
    }
}
