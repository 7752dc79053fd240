package dev.plumbline.model;

import java.util.LinkedHashMap;
import java.util.Map;

/** Every tensor a model of some configuration consists of (spec sections 2.1 to 2.4), without MTP layers. */
final class Inventory {
    private final ModelConfig config;
    private final Map<String, ExpectedTensor> tensors = new LinkedHashMap<>();

    private Inventory(ModelConfig config) {
        this.config = config;
    }

    /** The expected tensors by original name, in the order of the forward pass. */
    static Map<String, ExpectedTensor> of(ModelConfig config) {
        Inventory inventory = new Inventory(config);
        inventory.weight("embed.weight", config.vocabSize(), config.hiddenSize());
        for (int i = 0; i < config.layers().size(); i++) {
            inventory.layer("layers." + i + ".", config.layers().get(i));
        }
        long streams = config.hcMult();
        inventory.weight("hc_head_fn", streams, streams * config.hiddenSize());
        inventory.weight("hc_head_base", streams);
        inventory.weight("hc_head_scale", 1);
        inventory.weight("norm.weight", config.hiddenSize());
        inventory.weight("head.weight", config.vocabSize(), config.hiddenSize());
        return inventory.tensors;
    }

    private void layer(String prefix, LayerSpec layer) {
        hyperConnection(prefix + "hc_attn_");
        weight(prefix + "attn_norm.weight", config.hiddenSize());
        attention(prefix + "attn.");
        // CSA entries overlap: each window feeds two, so its compressors are twice as wide.
        int halves = layer.attention() == AttentionKind.CSA ? 2 : 1;
        if (layer.attention() != AttentionKind.SLIDING) {
            compressor(prefix + "attn.compressor.", layer.ratio(), halves, config.headDim());
        }
        if (layer.attention() == AttentionKind.CSA) {
            String indexer = prefix + "attn.indexer.";
            weight(indexer + "wq_b.weight", (long) config.indexHeads() * config.indexHeadDim(), config.qLoraRank());
            weight(indexer + "weights_proj.weight", config.indexHeads(), config.hiddenSize());
            compressor(indexer + "compressor.", layer.ratio(), halves, config.indexHeadDim());
        }
        hyperConnection(prefix + "hc_ffn_");
        weight(prefix + "ffn_norm.weight", config.hiddenSize());
        experts(prefix + "ffn.", layer.hashRouted());
    }

    private void hyperConnection(String prefix) {
        long streams = config.hcMult();
        long mixes = streams * (2 + streams);
        weight(prefix + "fn", mixes, streams * config.hiddenSize());
        weight(prefix + "base", mixes);
        weight(prefix + "scale", 3);
    }

    private void attention(String prefix) {
        long hidden = config.hiddenSize();
        long queries = (long) config.heads() * config.headDim();
        long projected = (long) config.oGroups() * config.oLoraRank();
        weight(prefix + "attn_sink", config.heads());
        weight(prefix + "wq_a.weight", config.qLoraRank(), hidden);
        weight(prefix + "q_norm.weight", config.qLoraRank());
        weight(prefix + "wq_b.weight", queries, config.qLoraRank());
        weight(prefix + "wkv.weight", config.headDim(), hidden);
        weight(prefix + "kv_norm.weight", config.headDim());
        weight(prefix + "wo_a.weight", projected, queries / config.oGroups());
        weight(prefix + "wo_b.weight", hidden, projected);
    }

    private void compressor(String prefix, int ratio, int halves, int dim) {
        long width = (long) halves * dim;
        weight(prefix + "wkv.weight", width, config.hiddenSize());
        weight(prefix + "wgate.weight", width, config.hiddenSize());
        weight(prefix + "ape", ratio, width);
        weight(prefix + "norm.weight", dim);
    }

    private void experts(String prefix, boolean hashRouted) {
        weight(prefix + "gate.weight", config.routedExperts(), config.hiddenSize());
        if (hashRouted) {
            put(new ExpectedTensor(prefix + "gate.tid2eid", true, config.vocabSize(), config.expertsPerToken()));
        } else {
            weight(prefix + "gate.bias", config.routedExperts());
        }
        for (int e = 0; e < config.routedExperts(); e++) {
            expert(prefix + "experts." + e + ".", config.moeIntermediate());
        }
        expert(prefix + "shared_experts.", (long) config.sharedExperts() * config.moeIntermediate());
    }

    private void expert(String prefix, long width) {
        weight(prefix + "w1.weight", width, config.hiddenSize());
        weight(prefix + "w3.weight", width, config.hiddenSize());
        weight(prefix + "w2.weight", config.hiddenSize(), width);
    }

    private void weight(String name, long... shape) {
        put(new ExpectedTensor(name, false, shape));
    }

    private void put(ExpectedTensor tensor) {
        tensors.put(tensor.name(), tensor);
    }
}
