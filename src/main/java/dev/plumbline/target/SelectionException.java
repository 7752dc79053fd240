package dev.plumbline.target;

/** What a request asks of the selections cannot be given; the message names value and what is allowed. */
public final class SelectionException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String field;

    SelectionException(String field, String message) {
        super(message);
        this.field = field;
    }

    /** The field to change. */
    public String field() {
        return field;
    }
}
