package dev.plumbline.model;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates the names a tensor may have in a file (spec section 2.6: original, transformers' module names, or the mix
 * that its save_pretrained writes) into the original name.
 */
final class TensorNames {
    private static final Pattern LAYER = Pattern.compile("(layers\\.\\d+\\.)(.+)");

    private static final Map<String, String> GLOBAL = Map.of(
            "embed_tokens.weight", "embed.weight",
            "lm_head.weight", "head.weight",
            "hc_head.hc_fn", "hc_head_fn",
            "hc_head.hc_base", "hc_head_base",
            "hc_head.hc_scale", "hc_head_scale");

    private static final Map<String, String> IN_LAYER = Map.ofEntries(
            Map.entry("input_layernorm.weight", "attn_norm.weight"),
            Map.entry("post_attention_layernorm.weight", "ffn_norm.weight"),
            Map.entry("attn_hc.fn", "hc_attn_fn"),
            Map.entry("attn_hc.base", "hc_attn_base"),
            Map.entry("attn_hc.scale", "hc_attn_scale"),
            Map.entry("ffn_hc.fn", "hc_ffn_fn"),
            Map.entry("ffn_hc.base", "hc_ffn_base"),
            Map.entry("ffn_hc.scale", "hc_ffn_scale"),
            Map.entry("attn.norm.weight", "attn.kv_norm.weight"),
            Map.entry("self_attn.sinks", "attn.attn_sink"),
            Map.entry("self_attn.q_a_proj.weight", "attn.wq_a.weight"),
            Map.entry("self_attn.q_a_norm.weight", "attn.q_norm.weight"),
            Map.entry("self_attn.q_b_proj.weight", "attn.wq_b.weight"),
            Map.entry("self_attn.kv_proj.weight", "attn.wkv.weight"),
            Map.entry("self_attn.kv_norm.weight", "attn.kv_norm.weight"),
            Map.entry("self_attn.o_a_proj.weight", "attn.wo_a.weight"),
            Map.entry("self_attn.o_b_proj.weight", "attn.wo_b.weight"),
            Map.entry("self_attn.compressor.kv_proj.weight", "attn.compressor.wkv.weight"),
            Map.entry("self_attn.compressor.gate_proj.weight", "attn.compressor.wgate.weight"),
            Map.entry("self_attn.compressor.position_bias", "attn.compressor.ape"),
            Map.entry("self_attn.compressor.kv_norm.weight", "attn.compressor.norm.weight"),
            Map.entry("self_attn.compressor.indexer.q_b_proj.weight", "attn.indexer.wq_b.weight"),
            Map.entry("self_attn.compressor.indexer.scorer.weights_proj.weight", "attn.indexer.weights_proj.weight"),
            Map.entry("self_attn.compressor.indexer.kv_proj.weight", "attn.indexer.compressor.wkv.weight"),
            Map.entry("self_attn.compressor.indexer.gate_proj.weight", "attn.indexer.compressor.wgate.weight"),
            Map.entry("self_attn.compressor.indexer.position_bias", "attn.indexer.compressor.ape"),
            Map.entry("self_attn.compressor.indexer.kv_norm.weight", "attn.indexer.compressor.norm.weight"),
            Map.entry("mlp.gate.weight", "ffn.gate.weight"),
            Map.entry("mlp.gate.e_score_correction_bias", "ffn.gate.bias"),
            Map.entry("mlp.gate.tid2eid", "ffn.gate.tid2eid"),
            Map.entry("mlp.experts.gate_up_proj", "ffn.experts.gate_up_proj"),
            Map.entry("mlp.experts.down_proj", "ffn.experts.down_proj"),
            Map.entry("mlp.shared_experts.gate_proj.weight", "ffn.shared_experts.w1.weight"),
            Map.entry("mlp.shared_experts.up_proj.weight", "ffn.shared_experts.w3.weight"),
            Map.entry("mlp.shared_experts.down_proj.weight", "ffn.shared_experts.w2.weight"));

    private TensorNames() {}

    /** The original name; for fused experts {@code layers.L.ffn.experts.gate_up_proj} or {@code .down_proj}. */
    static String original(String stored) {
        String name = withoutModel(stored);
        Matcher layer = LAYER.matcher(name);
        if (layer.matches()) {
            return layer.group(1) + IN_LAYER.getOrDefault(layer.group(2), layer.group(2));
        }
        return GLOBAL.getOrDefault(name, name);
    }

    /** Whether the tensor belongs to multi-token prediction, which is not served. */
    static boolean isIgnored(String stored) {
        return withoutModel(stored).startsWith("mtp.");
    }

    private static String withoutModel(String stored) {
        return stored.startsWith("model.") ? stored.substring("model.".length()) : stored;
    }
}
