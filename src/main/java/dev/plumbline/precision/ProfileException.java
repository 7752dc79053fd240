package dev.plumbline.precision;

import java.util.List;
import java.util.stream.Collectors;

/** Flags that cannot be honoured. The message holds one fault a line: the flag, its value, the reason, what is allowed. */
public final class ProfileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * What is wrong with one flag.
     *
     * @param field key of the flag, as it was written
     * @param message one sentence that starts with the key
     */
    public record Fault(String field, String message) {}

    private final transient List<Fault> faults;
    private final String field;

    /** All faults of one profile; at least one. */
    public ProfileException(List<Fault> faults) {
        super(faults.stream().map(Fault::message).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
        this.field = faults.get(0).field();
    }

    /** One fault. */
    public ProfileException(String field, String message) {
        this(List.of(new Fault(field, message)));
    }

    /** Key of the first flag that is wrong. */
    public String field() {
        return field;
    }

    /** Everything that is wrong, in the order of the flag table; unknown flags first. */
    public List<Fault> faults() {
        return faults;
    }
}
