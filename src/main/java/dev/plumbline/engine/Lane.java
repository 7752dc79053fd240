package dev.plumbline.engine;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Variant;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Weights, caches and working memory of one profile on one loaded model. Not thread-safe. */
final class Lane implements AutoCloseable {
    final ModelConfig config;
    final PrecisionProfile profile;
    final Kernels kernels;
    final CachePools pools;
    /** Null when the profile wants none. */
    final PrefixCache prefixes;

    final ForwardPass forward;
    final BatchBuilder batch;
    final HeadActivations head;

    private final Weights source;
    private final ModelWeights weights;
    private final Activations activations;
    private final List<AutoCloseable> owned = new ArrayList<>();
    private Activations lastView;
    private List<String> variants = List.of();

    /** A lane that shares its weights with none. */
    Lane(
            Checkpoint checkpoint,
            PrecisionProfile profile,
            Kernels kernels,
            EngineLimits limits,
            int maxRows,
            int maxHeadRows) {
        this(
                checkpoint.config(),
                profile,
                kernels,
                kernels,
                new WeightStore(kernels, checkpoint::tensor).forLane(),
                limits,
                maxRows,
                maxHeadRows);
    }

    /**
     * A lane of several.
     *
     * @param memory allocates its pools and activations, and does nothing else
     * @param source where its weights come from; given back by {@link #close}
     * @param maxRows most rows of a step
     * @param maxHeadRows most rows of a step that get logits
     */
    Lane(
            ModelConfig config,
            PrecisionProfile profile,
            Kernels kernels,
            Kernels memory,
            Weights source,
            EngineLimits limits,
            int maxRows,
            int maxHeadRows) {
        this.config = config;
        this.profile = profile;
        this.kernels = kernels;
        this.source = source;
        ProfileCheck.require(profile, config, kernels);
        try {
            weights = own(new ModelWeights(config, profile, source));
            pools = own(new CachePools(config, profile, memory, limits));
            prefixes = profile.prefixCache() ? own(new PrefixCache(pools, kernels, memory)) : null;
            forward = new ForwardPass(config, profile, kernels, weights, pools);
            activations = own(new Activations(config, profile, memory, maxRows, limits.maxContext()));
            batch = own(new BatchBuilder(kernels, pools, maxRows, limits.maxSequences(), limits.maxContext()));
            head = own(HeadActivations.allocate(config, kernels, maxHeadRows));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Working memory of a step of {@code rows} rows; decode asks for the same number again and again. */
    Activations activations(int rows) {
        if (lastView == null || lastView.rows() != rows) {
            lastView = activations.view(rows);
        }
        return lastView;
    }

    /** Takes room for a sequence, or returns null when it must wait. */
    SequenceCache lease(Sequence sequence) {
        if (prefixes == null) {
            return pools.lease(sequence.tokensNeeded());
        }
        return prefixes.lease(sequence.reusablePrompt(), sequence.tokensNeeded());
    }

    /** One line per pool. */
    List<PoolStatus> status() {
        List<PoolStatus> all = new ArrayList<>(pools.status());
        if (prefixes != null) {
            all.add(prefixes.status());
        }
        return List.copyOf(all);
    }

    /** Where its weights come from: what the lane is known by there. */
    Weights source() {
        return source;
    }

    /** Ids of the kernel variants that have served so far, sorted. */
    List<String> variants() {
        if (variants.size() != forward.variants().size()) {
            variants = forward.variants().stream().map(Variant::id).sorted().toList();
        }
        return variants;
    }

    /** Every flag by name; the types of weights and caches as the lane's memory has them, not as they were asked for. */
    Map<String, String> flags() {
        Map<String, String> flags = new LinkedHashMap<>(profile.flags());
        flags.put("linear_dtype", spelled(weights.head.form()));
        flags.put("kv_dtype", spelled(pools.layer(0).window().format().type()));
        pools.indexKeys()
                .ifPresent(keys ->
                        flags.put("index_key_dtype", spelled(keys.format().type())));
        return Collections.unmodifiableMap(flags);
    }

    private static String spelled(Enum<?> type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private <T extends AutoCloseable> T own(T resource) {
        owned.add(0, resource);
        return resource;
    }

    @Override
    public void close() {
        List<AutoCloseable> all = List.copyOf(owned);
        owned.clear();
        Resources.closeAll(all);
    }
}
