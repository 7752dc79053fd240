package dev.plumbline.recall.compare;

/** Runs exist but cannot be compared as they are; the message says what is the matter. */
public final class ComparisonRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    ComparisonRefusedException(String code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    /** What kind of refusal it is, in the API's words. */
    public String code() {
        return code;
    }
}
