package dev.plumbline.recall.remote;

/** A target is not as it must be, or cannot be used as asked; the message has field, value and what is allowed. */
public final class TargetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Code of a target whose budget is not its server's. */
    public static final String BUDGET_MISMATCH = "budget_mismatch";

    private final String field;
    private final String code;

    /** A refusal with a code of the API; {@code field} may be null. */
    TargetException(String field, String code, String message) {
        super(message, null, false, false);
        this.field = field;
        this.code = code;
    }

    /** A wrong value. */
    TargetException(String field, String message) {
        this(field, "invalid_value", message);
    }

    /** What kind of refusal it is, in the API's words. */
    public String code() {
        return code;
    }

    /** The field that is wrong, or null. */
    public String field() {
        return field;
    }
}
