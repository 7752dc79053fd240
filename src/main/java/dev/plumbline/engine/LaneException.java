package dev.plumbline.engine;

/** A lane could not be opened; the lanes that were open are as before. */
public class LaneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String label;

    LaneException(LaneKey key, String reason, Throwable cause) {
        super("the lane of " + key.label() + " " + reason, cause);
        this.label = key.label();
    }

    /** Label of the lane. */
    public String label() {
        return label;
    }
}
