package dev.plumbline.recall.run;

/** A run cannot be made so; the message has field, value and what is allowed. */
public final class RunRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean missing;
    private final String field;
    private final String code;

    private RunRefusedException(boolean missing, String field, String code, String message) {
        super(message, null, false, false);
        this.missing = missing;
        this.field = field;
        this.code = code;
    }

    /** The value of a field is not allowed. */
    public static RunRefusedException invalid(String field, String message) {
        return new RunRefusedException(false, field, "invalid_value", message);
    }

    /** Something that the field names does not exist. */
    public static RunRefusedException missing(String field, String code, String message) {
        return new RunRefusedException(true, field, code, message);
    }

    /** Whether something that is named does not exist. */
    public boolean missing() {
        return missing;
    }

    /** The field that is wrong. */
    public String field() {
        return field;
    }

    /** What kind of refusal it is, in the API's words. */
    public String code() {
        return code;
    }
}
