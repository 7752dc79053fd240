package dev.plumbline.gpucheck;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;

/** The embedded model on a backend. */
final class Loaded {
    private Loaded() {}

    static NativeTarget on(String backend, String graphs, int maxSequences) {
        PartialProfile flags = graphs == null ? PartialProfile.empty() : PartialProfile.of(Flag.GRAPHS, graphs);
        TargetOptions options = new TargetOptions(
                TargetOptions.DEFAULT_MODEL,
                backend,
                Runtime.getRuntime().availableProcessors(),
                null,
                maxSequences,
                TargetOptions.DEFAULT_WAITING,
                flags);
        return new TargetLoader(ModelLocator.standard(), System.err::println).load(options);
    }
}
