package dev.plumbline.engine;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Variant;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.ExpertType;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
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

    /** Every flag by name, as what serves the lane says, not as it was asked for; see {@link FlagReadback}. */
    Map<String, String> flags() {
        Map<Flag, String> memory = new EnumMap<>(Flag.class);
        memory.put(Flag.LINEAR_DTYPE, spelled(weights.head.form()));
        memory.put(Flag.KV_DTYPE, spelled(pools.layer(0).window().format().type()));
        pools.indexKeys()
                .ifPresent(keys ->
                        memory.put(Flag.INDEX_KEY_DTYPE, spelled(keys.format().type())));
        long budget = activations.selected.dim(1);
        if (pools.csaRatio() > 0 && budget < pools.contextLimit() / pools.csaRatio()) {
            // There is no room for more than all entries, and beyond them every budget is the same.
            memory.put(Flag.INDEX_TOPK, String.valueOf(budget));
        }
        memory.put(Flag.HYPER_CONNECTION_DTYPE, spelled(weights.headMix.fn().dtype()));
        memory.put(Flag.EXPERT_DTYPE, experts());
        memory.put(Flag.PREFILL_CHUNK, String.valueOf(activations.rows() - pools.maxSequences()));
        memory.put(Flag.PREFIX_CACHE, prefixes == null ? "off" : "on");
        return Collections.unmodifiableMap(FlagReadback.of(profile, variants(), memory));
    }

    /** Two values can be one form: the experts are "stored" if that was asked for and is what they are. */
    private String experts() {
        DType form = weights.layers.get(0).experts().down().get(0).form();
        boolean stored = profile.experts() == ExpertType.STORED && form == weights.storedExpertForm();
        return stored ? "stored" : spelled(form);
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
