package dev.plumbline.model;

/**
 * Tells reasoning from content while a completion is generated: everything before the first {@code </think>} token is
 * reasoning. Decided by token id, so the same text spelled in ordinary tokens changes nothing. Not thread-safe.
 */
public final class ReasoningSplitter {
    private final int thinkEnd;
    private boolean reasoning;

    ReasoningSplitter(int thinkEnd, boolean reasoning) {
        this.thinkEnd = thinkEnd;
        this.reasoning = reasoning;
    }

    /** Where a generated token belongs. */
    public enum Part {
        REASONING,
        /** The token that ends the reasoning; it is no text. */
        BOUNDARY,
        CONTENT
    }

    /** Classifies the next token. A second {@code </think>} is content. */
    public Part next(int id) {
        if (!reasoning) {
            return Part.CONTENT;
        }
        if (id == thinkEnd) {
            reasoning = false;
            return Part.BOUNDARY;
        }
        return Part.REASONING;
    }

    /** Whether the next token would still be reasoning. */
    public boolean isReasoning() {
        return reasoning;
    }
}
