package dev.plumbline.gpucheck;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;

/** An embedded model on a backend. */
final class Loaded {
    /** The embedded model. */
    static final String MODEL = TargetOptions.DEFAULT_MODEL;

    private Loaded() {}

    static NativeTarget on(String backend, String graphs, int maxSequences) {
        return on(
                MODEL,
                backend,
                graphs == null ? PartialProfile.empty() : PartialProfile.of(Flag.GRAPHS, graphs),
                maxSequences,
                Runtime.getRuntime().availableProcessors());
    }

    static NativeTarget on(String model, String backend, PartialProfile flags, int maxSequences, int threads) {
        TargetOptions options =
                new TargetOptions(model, backend, threads, null, maxSequences, TargetOptions.DEFAULT_WAITING, flags);
        return new TargetLoader(ModelLocator.standard(), System.err::println).load(options);
    }
}
