package dev.plumbline.cli;

import dev.plumbline.engine.LaneLimits;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.target.Backends;
import dev.plumbline.target.TargetOptions;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of every command that loads a model. */
final class TargetMixin {
    private static final int MIB_SHIFT = 20;
    private static final long MOST_MIB = Long.MAX_VALUE >> MIB_SHIFT;

    @Option(
            names = "--model",
            paramLabel = "NAME|DIR",
            defaultValue = TargetOptions.DEFAULT_MODEL,
            description = "Embedded model or model folder (default: ${DEFAULT-VALUE}).")
    private String model;

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            defaultValue = "auto",
            description = "One of " + Backends.ALLOWED + " (default: ${DEFAULT-VALUE}).")
    private String backend;

    @Option(names = "--threads", paramLabel = "N", description = "Kernel threads (default: all cores).")
    private Integer threads;

    @Option(
            names = "--max-context",
            paramLabel = "N",
            description = "Most tokens of a sequence (default: the model's).")
    private Integer maxContext;

    @Option(
            names = "--max-sequences",
            paramLabel = "N",
            defaultValue = "" + TargetOptions.DEFAULT_SEQUENCES,
            description = "Most sequences computed together (default: ${DEFAULT-VALUE}).")
    private int maxSequences;

    @Option(
            names = "--lane-memory",
            paramLabel = "MIB",
            description =
                    "Memory of all run configs that are open at once: weights, pools and working memory (default: "
                            + "half of the machine's memory, nine tenths of a GPU's, and at least what the first one takes).")
    private Long laneMemory;

    @Mixin
    private FlagOptions flags;

    /** What was asked for. */
    TargetOptions options() {
        return new TargetOptions(
                model,
                backend,
                threads == null ? Runtime.getRuntime().availableProcessors() : threads,
                maxContext,
                maxSequences,
                TargetOptions.DEFAULT_WAITING,
                flags.given(),
                laneLimits());
    }

    /**
     * The same for a measurement: nothing that is measured comes out of the prefix cache unless that was asked for.
     *
     * @param notice gets a sentence that says so
     */
    TargetOptions optionsToMeasure(Consumer<String> notice) {
        TargetOptions asked = options();
        if (asked.flags().values().containsKey(Flag.PREFIX_CACHE)) {
            return asked;
        }
        notice.accept("Measured with prefix_cache=off: every prompt is computed from its first token.");
        return new TargetOptions(
                asked.model(),
                asked.backend(),
                asked.threads(),
                asked.maxContext(),
                asked.maxSequences(),
                asked.maxWaiting(),
                asked.flags().over(PartialProfile.of(Flag.PREFIX_CACHE, "off")),
                asked.laneLimits());
    }

    private LaneLimits laneLimits() {
        LaneLimits defaults = LaneLimits.defaults();
        if (laneMemory == null) {
            return defaults;
        }
        if (laneMemory < 1 || laneMemory > MOST_MIB) {
            throw new CliException("--lane-memory is " + laneMemory + "; allowed: 1 to " + MOST_MIB + " MiB");
        }
        return new LaneLimits(laneMemory << MIB_SHIFT, defaults.idle());
    }
}
