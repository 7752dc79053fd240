package dev.plumbline.cli;

import dev.plumbline.target.Backends;
import dev.plumbline.target.ProfileFlags;
import dev.plumbline.target.TargetOptions;
import picocli.CommandLine.Option;

/** Options of every command that loads a model. */
final class TargetMixin {
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

    @Option(names = "--index-topk", paramLabel = "N", description = "Entries a query selects (default: the model's).")
    private Integer indexTopk;

    @Option(names = "--prefill-chunk", paramLabel = "N", description = "Prompt tokens of a step (default: 512).")
    private Integer prefillChunk;

    @Option(names = "--linear-dtype", paramLabel = "TYPE", description = "fp32 or bf16 (default: bf16).")
    private String linearDtype;

    @Option(names = "--index-key-dtype", paramLabel = "TYPE", description = "fp32 or bf16 (default: bf16).")
    private String indexKeyDtype;

    @Option(names = "--kv-dtype", paramLabel = "TYPE", description = "fp32 or bf16 (default: bf16).")
    private String kvDtype;

    @Option(names = "--topk-backend", paramLabel = "NAME", description = "radix or sort (default: radix).")
    private String topkBackend;

    @Option(
            names = "--graphs",
            paramLabel = "on|off",
            description = "Capture decode steps and repeat them; the backend cuda does (default: on).")
    private String graphs;

    /** What was asked for. */
    TargetOptions options() {
        return new TargetOptions(
                model,
                backend,
                threads == null ? Runtime.getRuntime().availableProcessors() : threads,
                maxContext,
                maxSequences,
                TargetOptions.DEFAULT_WAITING,
                new ProfileFlags(linearDtype, indexKeyDtype, kvDtype, topkBackend, indexTopk, prefillChunk, graphs));
    }
}
