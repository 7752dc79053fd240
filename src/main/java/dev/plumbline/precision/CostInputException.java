package dev.plumbline.precision;

/** A number that a cost cannot be computed with; the message has field, value and what is allowed. */
public final class CostInputException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String field;

    CostInputException(String field, String value, String allowed) {
        super(field + " is " + Spelling.echo(value) + "; allowed: " + allowed);
        this.field = field;
    }

    /** Which number. */
    public String field() {
        return field;
    }
}
