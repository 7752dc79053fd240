package dev.plumbline.document;

/** A document is not as it must be; the message has field, value and what is allowed. */
public final class DocumentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String code;

    /**
     * A refusal.
     *
     * @param field with the names of the objects around it; null if the document as a whole is wrong
     * @param code what kind of refusal it is, in the API's words
     * @param message field, value and what is allowed
     */
    public DocumentException(String field, String code, String message) {
        super(message, null, false, false);
        this.field = field;
        this.code = code;
    }

    /** A wrong value. */
    public DocumentException(String field, String message) {
        this(field, "invalid_value", message);
    }

    static DocumentException noYaml(String reason) {
        return new DocumentException(null, "invalid_yaml", "The YAML document is refused: " + reason + ".");
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
