package dev.plumbline.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Writes copies of the golden model in other naming styles. */
final class Restyled {
    enum Style {
        /** Module names of transformers, experts fused. */
        TRANSFORMERS,
        /** The mix that save_pretrained writes. */
        SAVED
    }

    private Restyled() {}

    /** The tensors of the golden model by name, to be changed by a test. */
    static Map<String, StoredTensor> golden() {
        Checkpoint checkpoint = Checkpoint.open(Golden.directory());
        Map<String, StoredTensor> tensors = new LinkedHashMap<>();
        checkpoint.names().forEach(name -> tensors.put(name, checkpoint.tensor(name)));
        return tensors;
    }

    static void write(Path directory, Map<String, StoredTensor> tensors, Map<String, float[]> changes)
            throws IOException {
        Golden.write(directory, Golden.config());
        writer(tensors, changes).write(directory.resolve("model.safetensors"));
    }

    static SafetensorsWriter writer(Map<String, StoredTensor> tensors, Map<String, float[]> changes) {
        SafetensorsWriter writer = new SafetensorsWriter();
        tensors.forEach((name, tensor) -> add(writer, name, tensor, changes.getOrDefault(name, floats(tensor))));
        return writer;
    }

    static void write(Path directory, Style style) throws IOException {
        Golden.write(directory, style == Style.TRANSFORMERS ? Golden.transformersConfig() : Golden.config());
        SafetensorsWriter writer = new SafetensorsWriter();
        Map<String, StoredTensor> tensors = golden();
        if (style == Style.TRANSFORMERS) {
            fuseExperts(writer, tensors);
        }
        tensors.forEach((name, tensor) ->
                add(writer, style == Style.TRANSFORMERS ? transformers(name) : saved(name), tensor, floats(tensor)));
        writer.write(directory.resolve("model.safetensors"));
    }

    /** Two shards with the tensors dealt alternately; returns the index. */
    static ObjectNode writeShards(Path directory) throws IOException {
        Golden.write(directory, Golden.config());
        ObjectNode index = Json.MAPPER.createObjectNode();
        ObjectNode map = index.putObject("weight_map");
        SafetensorsWriter[] shards = {new SafetensorsWriter(), new SafetensorsWriter()};
        for (Map.Entry<String, StoredTensor> entry : golden().entrySet()) {
            int shard = map.size() % 2;
            add(shards[shard], entry.getKey(), entry.getValue(), floats(entry.getValue()));
            map.put(entry.getKey(), "model-" + (shard + 1) + ".safetensors");
        }
        shards[0].write(directory.resolve("model-1.safetensors"));
        shards[1].write(directory.resolve("model-2.safetensors"));
        Files.writeString(directory.resolve("model.safetensors.index.json"), index.toString());
        return index;
    }

    static float[] floats(StoredTensor tensor) {
        float[] values = new float[(int) tensor.elements()];
        tensor.read(0, values, 0, values.length);
        return values;
    }

    private static void add(SafetensorsWriter writer, String name, StoredTensor tensor, float[] values) {
        if (tensor.type() == StoredType.INT64) {
            long[] ids = new long[values.length];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = (long) values[i];
            }
            writer.int64(name, tensor.shape(), ids);
        } else {
            writer.float32(name, tensor.shape(), values);
        }
    }

    private static void fuseExperts(SafetensorsWriter writer, Map<String, StoredTensor> tensors) {
        for (int layer = 0; layer < 4; layer++) {
            float[] gateUp = new float[8 * 128 * 64];
            float[] down = new float[8 * 64 * 64];
            for (int e = 0; e < 8; e++) {
                String expert = "layers." + layer + ".ffn.experts." + e + ".";
                tensors.remove(expert + "w1.weight").read(0, gateUp, e * 128 * 64, 64 * 64);
                tensors.remove(expert + "w3.weight").read(0, gateUp, e * 128 * 64 + 64 * 64, 64 * 64);
                tensors.remove(expert + "w2.weight").read(0, down, e * 64 * 64, 64 * 64);
            }
            String experts = "model.layers." + layer + ".mlp.experts.";
            writer.float32(experts + "gate_up_proj", new long[] {8, 128, 64}, gateUp);
            writer.float32(experts + "down_proj", new long[] {8, 64, 64}, down);
        }
    }

    private static String saved(String name) {
        return switch (name) {
            case "head.weight" -> name;
            case "embed.weight" -> "model.embed_tokens.weight";
            case "hc_head_fn", "hc_head_base", "hc_head_scale" -> "model.hc_head.hc_" + name.substring(8);
            default -> "model." + name.replace("attn.kv_norm.", "attn.norm.");
        };
    }

    /** By the rename rules of transformers, written independently of the table under test. */
    private static String transformers(String name) {
        if (!name.startsWith("layers.")) {
            return name.equals("head.weight") ? "lm_head.weight" : saved(name);
        }
        return "model."
                + name.replace(".attn_norm.", ".input_layernorm.")
                        .replace(".ffn_norm.", ".post_attention_layernorm.")
                        .replaceAll("hc_(attn|ffn)_", "$1_hc.")
                        .replace(".attn.", ".self_attn.")
                        .replace(".ffn.", ".mlp.")
                        .replace(".indexer.compressor.", ".compressor.indexer.")
                        .replace(".indexer.wq_b.", ".compressor.indexer.q_b_proj.")
                        .replace(".indexer.weights_proj.", ".compressor.indexer.scorer.weights_proj.")
                        .replace(".norm.", ".kv_norm.")
                        .replace(".q_norm.", ".q_a_norm.")
                        .replace(".ape", ".position_bias")
                        .replace(".attn_sink", ".sinks")
                        .replace(".wq_a.", ".q_a_proj.")
                        .replace(".wq_b.", ".q_b_proj.")
                        .replace(".wo_a.", ".o_a_proj.")
                        .replace(".wo_b.", ".o_b_proj.")
                        .replace(".wkv.", ".kv_proj.")
                        .replace(".wgate.", ".gate_proj.")
                        .replace("gate.bias", "gate.e_score_correction_bias")
                        .replace("shared_experts.w1", "shared_experts.gate_proj")
                        .replace("shared_experts.w3", "shared_experts.up_proj")
                        .replace("shared_experts.w2", "shared_experts.down_proj");
    }
}
