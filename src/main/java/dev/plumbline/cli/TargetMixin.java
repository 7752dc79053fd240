package dev.plumbline.cli;

import dev.plumbline.engine.LaneLimits;
import dev.plumbline.target.Backends;
import dev.plumbline.target.TargetOptions;
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
