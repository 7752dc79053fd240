package dev.plumbline.gpucheck;

import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.ProfileFlags;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;

/** The embedded model on a backend. */
final class Loaded {
    private Loaded() {}

    static NativeTarget on(String backend, String graphs, int maxSequences) {
        ProfileFlags flags = new ProfileFlags(null, null, null, null, null, null, graphs);
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
