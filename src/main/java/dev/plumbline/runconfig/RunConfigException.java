package dev.plumbline.runconfig;

import dev.plumbline.document.DocumentException;

/** A run config, or the name of one, is not as it must be; the message has field, value and what is allowed. */
public final class RunConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String code;

    /** A wrong value of one field, or a wrong document if {@code field} is null. */
    public RunConfigException(String field, String message) {
        this(field, "invalid_value", message);
    }

    /** A refusal with another code of the API. */
    RunConfigException(String field, String code, String message) {
        super(message, null, false, false);
        this.field = field;
        this.code = code;
    }

    static RunConfigException of(DocumentException refused) {
        return new RunConfigException(refused.field(), refused.code(), refused.getMessage());
    }

    /** What kind of refusal it is, in the API's words. */
    public String code() {
        return code;
    }

    /** The field that is wrong, with the names of the objects around it, or null. */
    public String field() {
        return field;
    }
}
