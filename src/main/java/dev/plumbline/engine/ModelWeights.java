package dev.plumbline.engine;

import dev.plumbline.kernel.CompressorWeights;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.HyperWeights;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.LayerSpec;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.ExpertType;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.StorageType;
import java.util.ArrayList;
import java.util.List;

/** Every weight of a model on a backend, in the compute forms of one profile. */
final class ModelWeights implements AutoCloseable {

    /** Attention of one layer; {@code compressor} is null when sliding, {@code indexer} unless CSA. */
    record Attention(
            LinearWeight queryDown,
            Tensor queryNorm,
            LinearWeight queryUp,
            LinearWeight keyValue,
            Tensor keyNorm,
            Tensor sinks,
            List<LinearWeight> outputDown,
            LinearWeight outputUp,
            Compressor compressor,
            Indexer indexer) {}

    /** A compressor: its stacked kv and gate projection, and what the fused kernel needs. */
    record Compressor(LinearWeight projection, CompressorWeights weights) {}

    /** The indexer of a CSA layer. */
    record Indexer(LinearWeight query, LinearWeight headWeights, Compressor compressor) {}

    /** Experts of one layer; exactly one of {@code bias} and {@code table} is given. */
    record Experts(
            LinearWeight gate,
            Tensor bias,
            Tensor table,
            List<LinearWeight> gateUp,
            List<LinearWeight> down,
            LinearWeight sharedGateUp,
            LinearWeight sharedDown) {}

    /** One layer. */
    record Layer(
            LayerSpec spec,
            HyperWeights attentionMix,
            Tensor attentionNorm,
            Attention attention,
            HyperWeights ffnMix,
            Tensor ffnNorm,
            Experts experts) {}

    private final WeightLoader loader;
    private final ModelConfig config;
    private final ExpertType expertForm;
    private final DType mixForm;
    final Tensor embedding;
    final Tensor mainFrequencies;
    final Tensor compressFrequencies;
    final List<Layer> layers;
    final HyperWeights headMix;
    final Tensor headNorm;
    final LinearWeight head;

    ModelWeights(ModelConfig config, PrecisionProfile profile, Weights source) {
        this.config = config;
        DType form = dtype(profile.linear());
        loader = new WeightLoader(source, form);
        expertForm = profile.experts();
        mixForm = dtype(profile.hyperConnection());
        try {
            embedding = loader.stored("embed.weight");
            mainFrequencies =
                    loader.upload("frequencies of the window", config.mainRope().frequencies());
            compressFrequencies = loader.upload(
                    "frequencies of the entries", config.compressRope().frequencies());
            List<Layer> all = new ArrayList<>();
            for (int i = 0; i < config.layers().size(); i++) {
                all.add(layer("layers." + i + ".", config.layers().get(i)));
            }
            layers = List.copyOf(all);
            headMix = hyper("hc_head");
            headNorm = loader.fp32("norm.weight");
            head = loader.linear("head.weight");
        } catch (RuntimeException e) {
            loader.close();
            throw e;
        }
    }

    static DType dtype(StorageType type) {
        return switch (type) {
            case FP32 -> DType.FP32;
            case BF16 -> DType.BF16;
            case FP8, MXFP4 -> throw new IllegalArgumentException("no tensor holds elements of type " + type);
        };
    }

    private Layer layer(String prefix, LayerSpec spec) {
        return new Layer(
                spec,
                hyper(prefix + "hc_attn"),
                loader.fp32(prefix + "attn_norm.weight"),
                attention(prefix + "attn.", spec),
                hyper(prefix + "hc_ffn"),
                loader.fp32(prefix + "ffn_norm.weight"),
                experts(prefix + "ffn.", spec));
    }

    private HyperWeights hyper(String prefix) {
        return new HyperWeights(
                loader.as(mixForm, prefix + "_fn"),
                loader.fp32(prefix + "_base"),
                loader.fp32(prefix + "_scale"),
                config.sinkhornIterations(),
                config.hcEps(),
                config.rmsNormEps());
    }

    private Attention attention(String prefix, LayerSpec spec) {
        boolean compressed = spec.attention() != AttentionKind.SLIDING;
        boolean sparse = spec.attention() == AttentionKind.CSA;
        return new Attention(
                loader.linear(prefix + "wq_a.weight"),
                loader.fp32(prefix + "q_norm.weight"),
                loader.linear(prefix + "wq_b.weight"),
                loader.linear(prefix + "wkv.weight"),
                loader.fp32(prefix + "kv_norm.weight"),
                loader.fp32(prefix + "attn_sink"),
                loader.grouped(prefix + "wo_a.weight", config.oGroups()),
                loader.linear(prefix + "wo_b.weight"),
                compressed ? compressor(prefix + "compressor.", spec, config.headDim()) : null,
                sparse ? indexer(prefix + "indexer.", spec) : null);
    }

    private Indexer indexer(String prefix, LayerSpec spec) {
        return new Indexer(
                loader.linear(prefix + "wq_b.weight"),
                loader.linearFp32(prefix + "weights_proj.weight"),
                compressor(prefix + "compressor.", spec, config.indexHeadDim()));
    }

    private Compressor compressor(String prefix, LayerSpec spec, int headDim) {
        return new Compressor(
                loader.stacked(prefix + "wkv.weight", prefix + "wgate.weight"),
                new CompressorWeights(
                        spec.ratio(),
                        spec.attention() == AttentionKind.CSA,
                        headDim,
                        loader.fp32(prefix + "ape"),
                        loader.fp32(prefix + "norm.weight"),
                        config.rmsNormEps(),
                        compressFrequencies));
    }

    private Experts experts(String prefix, LayerSpec spec) {
        List<LinearWeight> gateUp = new ArrayList<>();
        List<LinearWeight> down = new ArrayList<>();
        for (int e = 0; e < config.routedExperts(); e++) {
            String expert = prefix + "experts." + e + ".";
            DType form = loader.expertForm(expert + "w2.weight", expertForm);
            gateUp.add(loader.stacked(expert + "w1.weight", expert + "w3.weight", form));
            down.add(loader.linear(expert + "w2.weight", form));
        }
        String shared = prefix + "shared_experts.";
        return new Experts(
                loader.linearFp32(prefix + "gate.weight"),
                spec.hashRouted() ? null : loader.fp32(prefix + "gate.bias"),
                spec.hashRouted() ? loader.int32(prefix + "gate.tid2eid") : null,
                List.copyOf(gateUp),
                List.copyOf(down),
                loader.stacked(shared + "w1.weight", shared + "w3.weight"),
                loader.linear(shared + "w2.weight"));
    }

    /** The form of the routed experts' linears that the checkpoint has. */
    DType storedExpertForm() {
        return loader.expertForm("layers.0.ffn.experts.0.w2.weight", ExpertType.STORED);
    }

    @Override
    public void close() {
        loader.close();
    }
}
