package dev.plumbline.engine;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A lane does not fit into the memory for lanes; the message has the arithmetic. */
public final class LaneMemoryException extends LaneException {
    private static final long serialVersionUID = 1L;

    private final transient LaneBytes needed;
    private final long budget;
    private final transient List<Use> uses;

    /**
     * What an open lane holds.
     *
     * @param label its label
     * @param bytes its memory
     * @param reclaimable bytes that closing it would free; 0 while it is needed
     */
    public record Use(String label, long bytes, long reclaimable) {}

    LaneMemoryException(LaneKey key, LaneBytes needed, int sequences, int maxContext, long budget, List<Use> uses) {
        super(key, arithmetic(needed, sequences, maxContext, budget, uses), null);
        this.needed = needed;
        this.budget = budget;
        this.uses = List.copyOf(uses);
    }

    private static String arithmetic(LaneBytes needed, int sequences, int maxContext, long budget, List<Use> uses) {
        long held = uses.stream().mapToLong(Use::bytes).sum();
        long reclaimable = uses.stream().mapToLong(Use::reclaimable).sum();
        return "needs " + mib(needed.total()) + " (weights in forms not loaded yet " + mib(needed.weights())
                + ", pools for " + sequences + " sequences of " + maxContext + " tokens " + mib(needed.pools())
                + ", working memory " + mib(needed.working()) + "), which does not fit: of the " + mib(budget)
                + " for lanes (--lane-memory) " + mib(held) + " are held by "
                + uses.stream()
                        .map(use -> use.label() + " (" + mib(use.bytes()) + ")")
                        .collect(Collectors.joining(", "))
                + ", and closing idle lanes would free " + mib(reclaimable);
    }

    private static String mib(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
    }

    /** What the lane needs beyond what is there. */
    public LaneBytes needed() {
        return needed;
    }

    /** Bytes for all lanes together. */
    public long budget() {
        return budget;
    }

    /** What the open lanes hold. */
    public List<Use> uses() {
        return uses;
    }
}
