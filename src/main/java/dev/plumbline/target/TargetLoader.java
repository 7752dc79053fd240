package dev.plumbline.target;

import dev.plumbline.engine.Engine;
import dev.plumbline.engine.EngineLimits;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.engine.NativeEngine;
import dev.plumbline.engine.ProfileCheck;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.precision.PrecisionProfile;
import java.util.function.Consumer;
import java.util.function.Function;

/** Loads a model into the native engine. */
public final class TargetLoader {
    private final ModelLocator locator;
    private final Consumer<String> notices;

    /** {@code notices} receives what the user should know, a sentence at a time. */
    public TargetLoader(ModelLocator locator, Consumer<String> notices) {
        this.locator = locator;
        this.notices = notices;
    }

    /**
     * Refuses, without loading, what {@link #load} would refuse for its options or the model's files.
     *
     * @throws TargetException if an option cannot be honoured
     * @throws dev.plumbline.precision.ProfileException if a flag cannot be honoured
     * @throws dev.plumbline.model.InvalidModelException if the model's files are wrong
     */
    public void check(TargetOptions options) {
        Backends.check(options.backend(), options.threads());
        ModelLocator.Location location = locator.locate(options.model());
        try (Checkpoint checkpoint = location.open()) {
            profile(options, checkpoint.config());
            maxContext(options, checkpoint.config());
        }
    }

    /**
     * Loads; takes seconds.
     *
     * @throws TargetException if an option cannot be honoured
     * @throws dev.plumbline.precision.ProfileException if a flag cannot be honoured
     * @throws dev.plumbline.model.InvalidModelException if the model's files are wrong
     */
    public NativeTarget load(TargetOptions options) {
        return load(options, config -> LaneKey.startup(profile(options, config)));
    }

    /**
     * The same with a first lane of the caller's choice; the flags of {@code options} are not looked at.
     *
     * @param lane gives the lane for the model's configuration
     */
    public NativeTarget load(TargetOptions options, Function<ModelConfig, LaneKey> lane) {
        ModelLocator.Location location = locator.locate(options.model());
        Tokenizer tokenizer = Tokenizer.load(location.tokenizer());
        try {
            Checkpoint checkpoint = location.open();
            try {
                return load(options, lane.apply(checkpoint.config()), location, checkpoint, tokenizer);
            } catch (RuntimeException e) {
                checkpoint.close();
                throw e;
            }
        } catch (RuntimeException e) {
            tokenizer.close();
            throw e;
        }
    }

    private static PrecisionProfile profile(TargetOptions options, ModelConfig config) {
        PrecisionProfile profile = PrecisionProfile.baseline(config.indexTopk()).with(options.flags());
        ProfileCheck.requireNumbers(profile, config);
        return profile;
    }

    /** The checkpoint stays open: a lane that is opened later may need its weights in another form. */
    private NativeTarget load(
            TargetOptions options,
            LaneKey lane,
            ModelLocator.Location location,
            Checkpoint checkpoint,
            Tokenizer tokenizer) {
        int maxContext = maxContext(options, checkpoint.config());
        if (location.overlay().isPresent()) {
            notices.accept(location.name() + ": " + location.description());
        }
        EngineLimits limits = new EngineLimits(maxContext, options.maxSequences(), options.maxWaiting());
        Kernels kernels = Backends.open(options.backend(), options.threads(), notices);
        Engine engine = NativeEngine.load(checkpoint, lane, kernels, limits, options.laneLimits());
        ModelFacts facts = new ModelFacts(
                location.name(),
                location.description(),
                checkpoint.contentHash(),
                checkpoint.parameters(),
                checkpoint.config().maxPositions());
        return new NativeTarget(facts, checkpoint, tokenizer, engine, options.maxWaiting());
    }

    private static int maxContext(TargetOptions options, ModelConfig config) {
        if (options.maxContext() == null) {
            return config.maxPositions();
        }
        if (options.maxContext() < 2 || options.maxContext() > config.maxPositions()) {
            throw new TargetException("max_context is " + options.maxContext() + "; allowed: 2 to "
                    + config.maxPositions() + ", the model's context");
        }
        return options.maxContext();
    }
}
