package dev.plumbline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class CheckpointTest {
    @TempDir
    Path directory;

    @Test
    void opensTheGoldenModelAndLeavesOutItsMtpLayer() {
        // when
        try (Checkpoint checkpoint = Checkpoint.open(Golden.directory());
                SafetensorsFile file = SafetensorsFile.open(Golden.directory().resolve("model.safetensors"))) {
            // then
            assertThat(checkpoint.names())
                    .containsExactlyInAnyOrderElementsOf(file.names().stream()
                            .filter(name -> !name.startsWith("mtp."))
                            .toList())
                    .startsWith("embed.weight")
                    .endsWith("head.weight");
            assertThat(checkpoint.tensor("layers.1.attn.compressor.ape").shape())
                    .containsExactly(4, 64);
            assertThat(checkpoint.tensor("layers.0.ffn.gate.tid2eid").type()).isEqualTo(StoredType.INT64);
            assertThat(checkpoint.contentHash()).hasSize(64).isEqualTo(checkpoint.contentHash());
            assertThatThrownBy(() -> checkpoint.tensor("mtp.0.norm.weight"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("mtp.0.norm.weight");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRANSFORMERS", "SAVED"})
    void readsTheSameTensorsFromEveryNamingStyle(Restyled.Style style) throws IOException {
        // given
        Restyled.write(directory, style);

        // when
        try (Checkpoint original = Checkpoint.open(Golden.directory());
                Checkpoint restyled = Checkpoint.open(directory)) {
            // then
            assertThat(restyled.names()).containsExactlyElementsOf(original.names());
            for (String name : original.names()) {
                StoredTensor tensor = restyled.tensor(name);
                assertThat(tensor.name()).isEqualTo(name);
                assertThat(tensor.shape())
                        .as(name)
                        .isEqualTo(original.tensor(name).shape());
                assertThat(Restyled.floats(tensor)).as(name).isEqualTo(Restyled.floats(original.tensor(name)));
            }
            assertThat(restyled.contentHash()).isEqualTo(original.contentHash());
        }
    }

    @Test
    void hashesADifferentWeightDifferently() throws IOException {
        // given
        Map<String, StoredTensor> tensors = Restyled.golden();
        Restyled.write(directory, tensors, Map.of("norm.weight", new float[64]));

        // when
        try (Checkpoint original = Checkpoint.open(Golden.directory());
                Checkpoint changed = Checkpoint.open(directory)) {
            // then
            assertThat(changed.contentHash()).isNotEqualTo(original.contentHash());
        }
    }

    @Test
    void readsShardsThroughTheIndex() throws IOException {
        // given
        Restyled.writeShards(directory);

        // when
        try (Checkpoint original = Checkpoint.open(Golden.directory());
                Checkpoint sharded = Checkpoint.open(directory)) {
            // then
            assertThat(sharded.contentHash()).isEqualTo(original.contentHash());
        }
    }

    @Test
    void listsMissingExtraWronglyShapedAndUnsupportedTensorsTogether() throws IOException {
        // given
        Map<String, StoredTensor> tensors = Restyled.golden();
        tensors.remove("norm.weight");
        tensors.remove("layers.2.attn.wkv.weight");
        tensors.remove("layers.0.ffn.gate.tid2eid");
        tensors.remove("layers.3.attn.attn_sink");
        SafetensorsWriter writer = Restyled.writer(tensors, Map.of())
                .float32("layers.9.surprise", new long[] {1}, new float[1])
                .float32("layers.2.attn.wkv.weight", new long[] {64, 32}, new float[64 * 32])
                .float32("layers.0.ffn.gate.tid2eid", new long[] {128, 2}, new float[256])
                .bits8("layers.3.attn.attn_sink", "F8_E4M3", new long[] {4}, new byte[4])
                .bits8("layers.3.attn.wq_a.scale", "F8_E8M0", new long[] {1}, new byte[1]);
        Golden.write(directory, Golden.config());
        writer.write(directory.resolve("model.safetensors"));

        // when
        InvalidModelException refusal = refusal();

        // then
        assertThat(refusal.problems())
                .anyMatch(problem -> problem.equals("tensor norm.weight [64] is missing"))
                .anyMatch(problem -> problem.equals("tensor layers.9.surprise is not part of this architecture"))
                .anyMatch(problem ->
                        problem.equals("tensor layers.2.attn.wkv.weight has shape [64, 32]; allowed: [32, 64]"))
                .anyMatch(
                        problem -> problem.equals("tensor layers.0.ffn.gate.tid2eid holds FP32; allowed: INT32, INT64"))
                .anyMatch(problem -> problem.startsWith("tensor layers.3.attn.attn_sink has dtype F8_E4M3"))
                .anyMatch(problem -> problem.startsWith("tensor layers.3.attn.wq_a.scale has dtype F8_E8M0"))
                .hasSize(6);
    }

    @Test
    void refusesTwoNamesOfOneTensor() throws IOException {
        // given
        Golden.write(directory, Golden.config());
        Restyled.writer(Restyled.golden(), Map.of())
                .float32("model.norm.weight", new long[] {64}, new float[64])
                .float32("model.layers.0.mlp.experts.down_proj", new long[] {8, 64, 64}, new float[8 * 64 * 64])
                .write(directory.resolve("model.safetensors"));

        // when
        InvalidModelException refusal = refusal();

        // then
        assertThat(refusal.problems())
                .anyMatch(problem -> problem.contains("both stand for norm.weight"))
                .anyMatch(problem -> problem.contains("model.layers.0.mlp.experts.down_proj"));
    }

    @Test
    void refusesAFusedTensorOfTheWrongShape() throws IOException {
        // given
        Map<String, StoredTensor> tensors = Restyled.golden();
        tensors.keySet().removeIf(name -> name.matches("layers\\.0\\.ffn\\.experts\\.\\d+\\.w2\\.weight"));
        Golden.write(directory, Golden.config());
        Restyled.writer(tensors, Map.of())
                .float32("model.layers.0.mlp.experts.down_proj", new long[] {8, 64, 32}, new float[8 * 64 * 32])
                .write(directory.resolve("model.safetensors"));

        // then
        assertThat(refusal().problems())
                .containsExactly(
                        "tensor model.layers.0.mlp.experts.down_proj has shape [8, 64, 32]; allowed:" + " [8, 64, 64]");
    }

    @Test
    void refusesAFolderWithoutTensors() throws IOException {
        // given
        Golden.write(directory, Golden.config());

        // then
        assertThat(refusal()).hasMessageContaining("neither model.safetensors nor model.safetensors.index.json");
    }

    @ParameterizedTest
    @CsvSource({
        "../model-1.safetensors, is not allowed",
        "sub/model-1.safetensors, is not allowed",
        "..\\model-1.safetensors, is not allowed",
        "/etc/passwd, is not allowed",
        ".., is not allowed",
        "missing.safetensors, file not found"
    })
    void refusesShardNamesThatLeaveTheFolderOrAreMissing(String shard, String expected) throws IOException {
        // given
        Golden.write(directory, Golden.config());
        ObjectNode index = Json.MAPPER.createObjectNode();
        index.putObject("weight_map").put("norm.weight", shard);
        Files.writeString(directory.resolve("model.safetensors.index.json"), index.toString());

        // then
        assertThat(refusal()).hasMessageContaining(expected).hasMessageContaining(shard);
    }

    @Test
    void refusesAnIndexThatContradictsItsShards() throws IOException {
        // given
        ObjectNode index = Restyled.writeShards(directory);
        ObjectNode map = (ObjectNode) index.get("weight_map");
        String moved = "norm.weight";
        String wrong = map.get(moved).stringValue().equals("model-1.safetensors")
                ? "model-2.safetensors"
                : "model-1.safetensors";
        map.put(moved, wrong);
        Files.writeString(directory.resolve("model.safetensors.index.json"), index.toString());

        // then
        assertThat(refusal().problems())
                .anyMatch(problem ->
                        problem.equals("tensor norm.weight is not in " + wrong + ", where the index puts it"))
                .anyMatch(problem -> problem.contains("but the index does not put it there"));
    }

    @Test
    void countsTheTensorsOfTheRelease() throws IOException {
        // given the published dimensions
        ObjectNode json = Golden.config();
        json.put("vocab_size", 129280).put("hidden_size", 4096).put("num_hidden_layers", 43);
        json.put("num_attention_heads", 64).put("head_dim", 512).put("qk_rope_head_dim", 64);
        json.put("q_lora_rank", 1024).put("o_lora_rank", 1024).put("o_groups", 8);
        json.put("index_n_heads", 64).put("index_head_dim", 128).put("n_routed_experts", 256);
        json.put("num_experts_per_tok", 6).put("moe_intermediate_size", 2048).put("num_hash_layers", 3);
        List<Integer> ratios = new ArrayList<>(List.of(0, 0));
        for (int i = 0; i < 20; i++) {
            ratios.addAll(List.of(4, 128));
        }
        ratios.addAll(List.of(4, 0));
        ratios.forEach(json.putArray("compress_ratios")::add);

        // when
        Map<String, ExpectedTensor> inventory = Inventory.of(ConfigReader.read(Golden.write(directory, json)));

        // then the shapes are those of the specification
        assertThat(shape(inventory, "layers.0.attn.wo_a.weight")).containsExactly(8192, 4096);
        assertThat(shape(inventory, "layers.0.hc_attn_fn")).containsExactly(24, 16384);
        assertThat(shape(inventory, "layers.2.attn.indexer.wq_b.weight")).containsExactly(8192, 1024);
        assertThat(shape(inventory, "layers.2.attn.indexer.compressor.ape")).containsExactly(4, 256);
        assertThat(shape(inventory, "layers.3.attn.compressor.ape")).containsExactly(128, 512);
        assertThat(shape(inventory, "layers.2.ffn.gate.tid2eid")).containsExactly(129280, 6);
        assertThat(inventory).doesNotContainKey("layers.2.ffn.gate.bias").containsKey("layers.3.ffn.gate.bias");
        // and their I64 and BF16 element counts are the published ones without the MTP layer
        assertThat(inventory.values().stream()
                        .filter(ExpectedTensor::integer)
                        .mapToLong(CheckpointTest::size)
                        .sum())
                .isEqualTo(2_327_040);
    }

    private static long[] shape(Map<String, ExpectedTensor> inventory, String name) {
        return inventory.get(name).shape();
    }

    private static long size(ExpectedTensor tensor) {
        long n = 1;
        for (long dim : tensor.shape()) {
            n *= dim;
        }
        return n;
    }

    private InvalidModelException refusal() {
        return catchThrowableOfType(
                InvalidModelException.class, () -> Checkpoint.open(directory).close());
    }
}
