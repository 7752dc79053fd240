package dev.plumbline.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** A complete model folder with random weights: every kind of layer, small enough for the reference backend. */
public final class TinyModel {
    /** Tokens of its context. */
    public static final int CONTEXT = 8192;

    /** The token that ends an answer. */
    public static final int EOS = 1;

    private static final int VOCABULARY = 273;
    private static final String CONFIG = """
            {"model_type": "deepseek_v4", "vocab_size": 273, "hidden_size": 32, "moe_intermediate_size": 16,
             "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 16,
             "qk_rope_head_dim": 8, "q_lora_rank": 16, "num_experts_per_tok": 2, "n_routed_experts": 4,
             "n_shared_experts": 1, "scoring_func": "sqrtsoftplus", "topk_method": "noaux_tc", "norm_topk_prob": true,
             "routed_scaling_factor": 1.5, "max_position_embeddings": 8192, "rope_theta": 10000,
             "compress_rope_theta": 160000, "rope_scaling": null, "compress_ratios": [0, 4, 128], "hc_mult": 2,
             "hc_sinkhorn_iters": 4, "hc_eps": 1e-06, "num_hash_layers": 0, "swiglu_limit": 10.0,
             "sliding_window": 16, "o_groups": 2, "o_lora_rank": 8, "index_n_heads": 2, "index_head_dim": 16,
             "index_topk": 8, "num_nextn_predict_layers": 0, "rms_norm_eps": 1e-06, "bos_token_id": 0,
             "eos_token_id": 1, "tie_word_embeddings": false, "hidden_act": "silu"}
            """;

    private TinyModel() {}

    /** Writes the model into an existing folder. */
    public static Path write(Path folder) throws IOException {
        return write(folder, CONTEXT);
    }

    /** Writes the model with a context of so many tokens: its answers last until that is full. */
    public static Path write(Path folder, int context) throws IOException {
        Files.writeString(
                folder.resolve("config.json"),
                CONFIG.replace("\"max_position_embeddings\": " + CONTEXT, "\"max_position_embeddings\": " + context));
        TinyTokenizer.write(folder, TinyTokenizer.json());
        Random random = new Random(11);
        SafetensorsWriter writer = new SafetensorsWriter();
        Inventory.of(ConfigReader.read(folder.resolve("config.json")))
                .forEach((name, tensor) -> writer.float32(name, tensor.shape(), values(tensor, random)));
        writer.write(folder.resolve("model.safetensors"));
        return folder;
    }

    private static float[] values(ExpectedTensor tensor, Random random) {
        int elements = (int) Arrays.stream(tensor.shape()).reduce(1, (a, b) -> a * b);
        float[] values = new float[elements];
        boolean norm = tensor.name().endsWith("norm.weight");
        int inputs = (int) tensor.shape()[tensor.shape().length - 1];
        // Far apart logits: greedy answers then do not hang on the last bit.
        float scale = tensor.name().equals("head.weight") ? 4 : 1;
        for (int i = 0; i < elements; i++) {
            values[i] = norm ? 1 : scale * (float) (random.nextGaussian() / Math.sqrt(inputs));
        }
        if (tensor.name().equals("head.weight")) {
            // No answer ends by itself: special tokens get the logit 0, which is never among the highest.
            for (int id = 0; id < VOCABULARY; id++) {
                if (id <= EOS || id > 256 + 10) {
                    Arrays.fill(values, id * inputs, (id + 1) * inputs, 0);
                }
            }
        }
        return values;
    }
}
