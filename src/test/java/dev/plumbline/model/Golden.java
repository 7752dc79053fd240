package dev.plumbline.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The golden four-layer model in the test resources. */
final class Golden {
    private Golden() {}

    static Path directory() {
        try {
            return Path.of(Golden.class
                            .getResource("/golden/v4-tiny/config.json")
                            .toURI())
                    .getParent();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its configuration in the release's spelling, to be changed by a test. */
    static ObjectNode config() {
        return (ObjectNode) Json.readObject(directory().resolve("config.json"));
    }

    /** The same architecture in transformers' spelling. */
    static ObjectNode transformersConfig() {
        ObjectNode config = config();
        config.remove(List.of(
                "compress_ratios",
                "rope_scaling",
                "num_hash_layers",
                "qk_rope_head_dim",
                "rope_theta",
                "compress_rope_theta"));
        config.putArray("layer_types")
                .add("sliding_attention")
                .add("compressed_sparse_attention")
                .add("heavily_compressed_attention")
                .add("compressed_sparse_attention");
        config.putArray("mlp_layer_types")
                .add("hash_moe")
                .add("hash_moe")
                .add("moe")
                .add("moe");
        config.putObject("compress_rates")
                .put("compressed_sparse_attention", 4)
                .put("heavily_compressed_attention", 128);
        config.put("partial_rotary_factor", 0.25);
        ObjectNode rope = config.putObject("rope_parameters");
        rope.putObject("main")
                .put("rope_type", "default")
                .put("rope_theta", 10000.0)
                .put("partial_rotary_factor", 0.25);
        rope.putObject("compress")
                .put("rope_type", "yarn")
                .put("rope_theta", 160000.0)
                .put("factor", 16.0)
                .put("beta_fast", 32.0)
                .put("beta_slow", 1.0)
                .put("original_max_position_embeddings", 65536)
                .put("attention_factor", 1.0)
                .put("partial_rotary_factor", 0.25);
        return config;
    }

    static Path write(Path directory, ObjectNode config) throws IOException {
        return Files.writeString(directory.resolve("config.json"), config.toString());
    }
}
