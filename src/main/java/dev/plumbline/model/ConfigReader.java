package dev.plumbline.model;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads {@code config.json} of a DeepSeek-V4 checkpoint, in the release's spelling or in that of transformers. */
public final class ConfigReader {
    private static final int ANY = Integer.MAX_VALUE;
    private static final int MAX_LAYERS = 1024;
    private static final int MAX_EXPERTS = 8192;

    private final JsonNode root;
    private final List<String> problems = new ArrayList<>();
    private final ConfigFields fields;

    private ConfigReader(JsonNode root) {
        this.root = root;
        this.fields = new ConfigFields(root, "", problems);
    }

    /**
     * Reads and checks the file.
     *
     * @throws InvalidModelException if the file is missing, belongs to another architecture, or has missing, invalid or
     *     contradicting fields; lists all of them with the value found and what is allowed
     */
    public static ModelConfig read(Path configJson) {
        String subject = String.valueOf(configJson.getFileName());
        ConfigReader reader = new ConfigReader(Json.readObject(configJson));
        reader.refuseOtherArchitectures();
        // The fields of another architecture would only be noise after this.
        InvalidModelException.throwIfAny(subject, reader.problems);
        ModelConfig config = reader.fields();
        InvalidModelException.throwIfAny(subject, reader.problems);
        reader.checkConsistency(config);
        InvalidModelException.throwIfAny(subject, reader.problems);
        return config;
    }

    /**
     * The text of the optional field {@code description}, which models that ship with this program have; empty if there
     * is none.
     *
     * @param utf8 a {@code config.json}
     * @throws InvalidModelException if that is no JSON object
     */
    public static String description(byte[] utf8) {
        return Json.parseObject("config.json", ByteBuffer.wrap(utf8))
                .path("description")
                .asString("");
    }

    private void refuseOtherArchitectures() {
        String type = fields.text("model_type");
        if (type == null) {
            if (problems.isEmpty()) {
                fields.missing("model_type", "deepseek_v4");
            }
            return;
        }
        if (!type.equals("deepseek_v4")) {
            problems.add("model_type '" + type + "' is not supported; allowed: deepseek_v4");
            return;
        }
        List<String> architectures = fields.strings("architectures");
        if (architectures != null && !architectures.isEmpty() && !architectures.contains("DeepseekV4ForCausalLM")) {
            fields.invalid("architectures", architectures, "DeepseekV4ForCausalLM");
        }
        for (String name : root.propertyNames()) {
            if (name.startsWith("engram")) {
                problems.add(name + " belongs to the DeepSeek-V4.1 architecture, which is not supported");
            }
        }
    }

    private ModelConfig fields() {
        fields.only("num_key_value_heads", "1");
        fields.only("scoring_func", "sqrtsoftplus");
        fields.only("hidden_act", "silu");
        fields.only("attention_bias", "false");
        fields.only("mlp_bias", "false");
        fields.only("tie_word_embeddings", "false");
        int vocabSize = fields.integer("vocab_size", 1, ANY);
        int layers = fields.integer("num_hidden_layers", 1, MAX_LAYERS);
        int headDim = fields.integer("head_dim", 2, ANY);
        RopeFields rope = new RopeFields(fields, headDim);
        int ropeDims = rope.dims();
        return new ModelConfig(
                vocabSize,
                fields.integer("hidden_size", 1, ANY),
                LayerPlan.read(fields, layers),
                fields.integer("num_attention_heads", 1, ANY),
                headDim,
                ropeDims,
                fields.integer("q_lora_rank", 1, ANY),
                fields.integer("o_lora_rank", 1, ANY),
                fields.integer("o_groups", 1, ANY),
                fields.integer("sliding_window", 1, ANY),
                fields.integer("index_n_heads", 1, ANY),
                fields.integer("index_head_dim", 1, ANY),
                fields.integer("index_topk", 1, ANY),
                fields.integer("hc_mult", 1, 64),
                fields.integer("hc_sinkhorn_iters", 1, 1000),
                (float) fields.positive("hc_eps"),
                fields.integer("n_routed_experts", 1, MAX_EXPERTS, "num_local_experts"),
                fields.integerOr(1, "n_shared_experts", 1, 64),
                fields.integer("num_experts_per_tok", 1, MAX_EXPERTS),
                fields.integer("moe_intermediate_size", 1, ANY, "intermediate_size"),
                (float) fields.positive("routed_scaling_factor"),
                (float) fields.positive("swiglu_limit"),
                (float) fields.positive("rms_norm_eps"),
                rope.main(ropeDims),
                rope.compress(ropeDims),
                fields.integer("max_position_embeddings", 1, ANY),
                fields.integerOr(0, "bos_token_id", 0, vocabSize - 1),
                fields.integerOr(1, "eos_token_id", 0, vocabSize - 1));
    }

    private void checkConsistency(ModelConfig c) {
        if (c.heads() % c.oGroups() != 0) {
            fields.invalid("o_groups", c.oGroups(), "a divisor of num_attention_heads = " + c.heads());
        }
        if (c.ropeDims() % 2 != 0) {
            fields.invalid("qk_rope_head_dim", c.ropeDims(), "an even number");
        }
        if (c.ropeDims() > c.indexHeadDim()) {
            fields.invalid("qk_rope_head_dim", c.ropeDims(), "at most index_head_dim = " + c.indexHeadDim());
        }
        if (c.expertsPerToken() > c.routedExperts()) {
            fields.invalid(
                    "num_experts_per_tok", c.expertsPerToken(), "at most n_routed_experts = " + c.routedExperts());
        }
        atMostAnInt("num_attention_heads x head_dim", c.heads(), c.headDim());
        atMostAnInt("index_n_heads x index_head_dim", c.indexHeads(), c.indexHeadDim());
        atMostAnInt("hc_mult x hidden_size", c.hcMult(), c.hiddenSize());
        atMostAnInt("o_groups x o_lora_rank", c.oGroups(), c.oLoraRank());
        atMostAnInt("n_shared_experts x moe_intermediate_size", c.sharedExperts(), c.moeIntermediate());
        atMostAnInt("2 x moe_intermediate_size", 2, c.moeIntermediate());
        atMostAnInt("2 x head_dim", 2, c.headDim());
        atMostAnInt("2 x index_head_dim", 2, c.indexHeadDim());
    }

    private void atMostAnInt(String product, int a, int b) {
        if ((long) a * b > Integer.MAX_VALUE) {
            fields.invalid(product, (long) a * b, "at most " + Integer.MAX_VALUE);
        }
    }
}
