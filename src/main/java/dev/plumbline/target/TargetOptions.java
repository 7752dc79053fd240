package dev.plumbline.target;

import dev.plumbline.engine.LaneLimits;
import dev.plumbline.precision.PartialProfile;

/**
 * What to load and how.
 *
 * @param model an embedded model's name or a folder
 * @param backend see {@link Backends#ALLOWED}
 * @param threads kernel threads
 * @param maxContext most tokens of a sequence; null takes the model's
 * @param maxSequences most sequences of a step
 * @param maxWaiting most generations in the queue
 * @param flags precision flags; the rest is left to the model
 * @param laneLimits memory of all lanes and how long an idle one is kept
 */
public record TargetOptions(
        String model,
        String backend,
        int threads,
        Integer maxContext,
        int maxSequences,
        int maxWaiting,
        PartialProfile flags,
        LaneLimits laneLimits) {

    /** The embedded model. */
    public static final String DEFAULT_MODEL = "needle-mini";
    /** Sequences of a step unless configured otherwise. */
    public static final int DEFAULT_SEQUENCES = 16;
    /** Queued generations unless configured otherwise. */
    public static final int DEFAULT_WAITING = 256;

    /** Checks the numbers. */
    public TargetOptions {
        atLeastOne("max_sequences", maxSequences);
        atLeastOne("max_waiting", maxWaiting);
    }

    /** Options without limits for lanes but the defaults. */
    public TargetOptions(
            String model,
            String backend,
            int threads,
            Integer maxContext,
            int maxSequences,
            int maxWaiting,
            PartialProfile flags) {
        this(model, backend, threads, maxContext, maxSequences, maxWaiting, flags, LaneLimits.defaults());
    }

    /** A model with every default. */
    public static TargetOptions defaults(String model) {
        return new TargetOptions(
                model,
                "auto",
                Runtime.getRuntime().availableProcessors(),
                null,
                DEFAULT_SEQUENCES,
                DEFAULT_WAITING,
                PartialProfile.empty());
    }

    private static void atLeastOne(String option, int value) {
        if (value < 1) {
            throw new TargetException(option + " is " + value + "; allowed: at least 1");
        }
    }
}
