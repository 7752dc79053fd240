package dev.plumbline.model;

import static dev.plumbline.model.AttentionKind.CSA;
import static dev.plumbline.model.AttentionKind.HCA;
import static dev.plumbline.model.AttentionKind.SLIDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class ConfigReaderTest {
    @TempDir
    Path directory;

    @Test
    void readsTheReleaseSpelling() throws IOException {
        // given
        Path file = Golden.write(directory, Golden.config());

        // when
        ModelConfig config = ConfigReader.read(file);

        // then the fifth ratio, which describes the MTP layer, is dropped
        assertThat(config.layers())
                .containsExactly(
                        new LayerSpec(SLIDING, 0, true),
                        new LayerSpec(CSA, 4, true),
                        new LayerSpec(HCA, 128, false),
                        new LayerSpec(CSA, 4, false));
        assertThat(config.vocabSize()).isEqualTo(128);
        assertThat(config.ropeDims()).isEqualTo(8);
        assertThat(config.hcEps()).isEqualTo(1e-6f);
        assertThat(config.mainRope()).isEqualTo(new RopeSpec(8, 10000, null));
        assertThat(config.compressRope()).isEqualTo(new RopeSpec(8, 160000, new RopeSpec.Yarn(16, 65536, 32, 1)));
        assertThat(config.eosId()).isEqualTo(1);
    }

    @Test
    void readsTheTransformersSpellingToTheSameArchitecture() throws IOException {
        // given
        ModelConfig release = ConfigReader.read(Golden.write(directory, Golden.config()));

        // when
        ModelConfig transformers = ConfigReader.read(Golden.write(directory, Golden.transformersConfig()));

        // then
        assertThat(transformers).isEqualTo(release);
    }

    @Test
    void acceptsAliasesOfExpertFields() throws IOException {
        // given
        ObjectNode json = Golden.config();
        json.remove(List.of("n_routed_experts", "moe_intermediate_size"));
        json.put("num_local_experts", 8).put("intermediate_size", 64);

        // when
        ModelConfig config = ConfigReader.read(Golden.write(directory, json));

        // then
        assertThat(config.routedExperts()).isEqualTo(8);
        assertThat(config.moeIntermediate()).isEqualTo(64);
    }

    @Test
    void takesOtherRatiosFromTheFlatRates() throws IOException {
        // given
        ObjectNode json = Golden.transformersConfig();
        json.remove("compress_rates");
        json.put("compress_rate_csa", 2).put("compress_rate_hca", 16);

        // when
        ModelConfig config = ConfigReader.read(Golden.write(directory, json));

        // then
        assertThat(config.layers()).extracting(LayerSpec::ratio).containsExactly(0, 2, 16, 2);
    }

    @Test
    void assumesThePatternOfV4ProWhenNoneIsNamed() throws IOException {
        // given
        ObjectNode json = Golden.config();
        json.remove("compress_ratios");
        json.put("num_hidden_layers", 6);

        // when
        ModelConfig config = ConfigReader.read(Golden.write(directory, json));

        // then
        assertThat(config.layers()).extracting(LayerSpec::attention).containsExactly(HCA, HCA, HCA, CSA, HCA, CSA);
    }

    @Test
    void hasNoYarnWithoutRopeScaling() throws IOException {
        // given
        ObjectNode json = Golden.config();
        json.putNull("rope_scaling");

        // when
        ModelConfig config = ConfigReader.read(Golden.write(directory, json));

        // then
        assertThat(config.compressRope()).isEqualTo(new RopeSpec(8, 160000, null));
    }

    @Test
    void readsAFlatRopeParametersLikeRopeScaling() throws IOException {
        // given
        ObjectNode json = Golden.config();
        json.set("rope_parameters", json.remove("rope_scaling"));
        ((ObjectNode) json.get("rope_parameters")).put("rope_theta", 10000);

        // when
        ModelConfig config = ConfigReader.read(Golden.write(directory, json));

        // then the compressed base is not taken from there
        assertThat(config.compressRope()).isEqualTo(new RopeSpec(8, 160000, new RopeSpec.Yarn(16, 65536, 32, 1)));
    }

    @Test
    void listsEveryProblemAtOnce() throws IOException {
        // given three faults of different kinds
        ObjectNode json = Golden.config();
        json.remove("hidden_size");
        json.put("head_dim", "wide").put("index_topk", 0);

        // when
        InvalidModelException refusal = refusal(json);

        // then
        assertThat(refusal.problems())
                .anyMatch(problem -> problem.startsWith("hidden_size is missing; allowed: an integer from 1"))
                .anyMatch(problem -> problem.startsWith("head_dim is \"wide\"; allowed: an integer from 2"))
                .anyMatch(problem -> problem.startsWith("index_topk is 0; allowed: an integer from 1"));
        assertThat(refusal).hasMessageContaining("config.json").hasMessageContaining("hidden_size");
    }

    @Test
    void refusesAnotherArchitectureByNameAndSaysNothingElse() throws IOException {
        // given
        ObjectNode json = Json.MAPPER.createObjectNode().put("model_type", "llama");

        // when
        InvalidModelException refusal = refusal(json);

        // then
        assertThat(refusal.problems()).containsExactly("model_type 'llama' is not supported; allowed: deepseek_v4");
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                fault(json -> json.remove("model_type"), "model_type is missing"),
                fault(json -> json.put("model_type", "deepseek_v41"), "'deepseek_v41' is not supported"),
                fault(json -> json.put("engram_layers", 3), "engram_layers belongs to the DeepSeek-V4.1"),
                fault(json -> json.putArray("architectures").add("DeepseekV41ForCausalLM"), "architectures is"),
                fault(json -> json.put("o_groups", 3), "o_groups is 3; allowed: a divisor of num_attention_heads = 4"),
                fault(json -> json.put("qk_rope_head_dim", 7), "qk_rope_head_dim is 7; allowed: an even number"),
                fault(
                        json -> json.put("qk_rope_head_dim", 34),
                        "qk_rope_head_dim is 34; allowed: an integer from 2 to 32"),
                fault(json -> json.put("qk_rope_head_dim", 18), "at most index_head_dim = 16"),
                fault(json -> json.put("partial_rotary_factor", 0.5), "partial_rotary_factor is giving 16 dims"),
                fault(json -> json.put("num_experts_per_tok", 9), "at most n_routed_experts = 8"),
                fault(json -> json.putArray("compress_ratios").add(0).add(4), "at least num_hidden_layers = 4"),
                fault(
                        json -> json.putArray("compress_ratios")
                                .add(0)
                                .add(8)
                                .add(128)
                                .add(4),
                        "compress_ratios[1] is 8; allowed: 0 (sliding), 4 (CSA), 128 (HCA)"),
                fault(
                        json -> json.putArray("layer_types")
                                .add("linear")
                                .add("x")
                                .add("y")
                                .add("z"),
                        "layer_types[3] is z"),
                fault(json -> json.put("num_hash_layers", 5), "num_hash_layers is 5; allowed: an integer from 0 to 4"),
                fault(json -> json.remove("num_hash_layers"), "num_hash_layers is missing"),
                fault(json -> json.put("num_key_value_heads", 2), "num_key_value_heads is 2; allowed: 1"),
                fault(json -> json.put("scoring_func", "softmax"), "allowed: sqrtsoftplus"),
                fault(json -> json.put("tie_word_embeddings", true), "tie_word_embeddings is true; allowed: false"),
                fault(json -> json.put("rms_norm_eps", 0), "rms_norm_eps is 0; allowed: a number above 0"),
                fault(json -> json.put("vocab_size", 3_000_000_000L), "vocab_size is 3000000000"),
                fault(json -> json.put("head_dim", 1 << 30), "num_attention_heads x head_dim is 4294967296"),
                fault(json -> json.put("eos_token_id", 128), "eos_token_id is 128; allowed: an integer from 0 to 127"),
                fault(
                        json -> ((ObjectNode) json.get("rope_scaling")).put("type", "linear"),
                        "rope_scaling.rope_type is linear; allowed: yarn, default"),
                fault(
                        json -> ((ObjectNode) json.get("rope_scaling")).remove("factor"),
                        "rope_scaling.factor is missing"),
                fault(json -> json.put("rope_theta", 1), "rope_theta is 1.0; allowed: a number above 1"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void namesFieldValueAndWhatIsAllowed(Consumer<ObjectNode> fault, String expected) throws IOException {
        // given a good configuration with one fault
        ObjectNode json = Golden.config();
        fault.accept(json);

        // when
        InvalidModelException refusal = refusal(json);

        // then
        assertThat(refusal.problems()).anyMatch(problem -> problem.contains(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "-1",
                "0",
                "1e300",
                "1.5",
                "\"text\"",
                "[]",
                "[null]",
                "{}",
                "true",
                "99999999999999999999"
            })
    void survivesAnyValueInAnyField(String value) throws IOException {
        // given both spellings with one field after the other replaced
        for (ObjectNode good : List.of(Golden.config(), Golden.transformersConfig())) {
            for (String field : List.copyOf(good.propertyNames())) {
                ObjectNode json = good.deepCopy();
                json.set(field, Json.MAPPER.readTree(value));
                Path file = Golden.write(directory, json);

                // when
                try {
                    ConfigReader.read(file);
                } catch (InvalidModelException refusal) {
                    // then any other exception fails the test
                    assertThat(refusal.problems()).as("%s = %s", field, value).isNotEmpty();
                }
            }
        }
    }

    @Test
    void readsTheKeysOfLaterReleasesAndQuantisedFiles() throws IOException {
        // given what other releases add
        ObjectNode json = Golden.config();
        json.putArray("compress_ratios")
                .add(0)
                .add(4)
                .add(128)
                .add(4)
                .add(0)
                .add(0)
                .add(0);
        json.put("dspark_block_size", 4).put("expert_dtype", "fp4");
        json.putObject("quantization_config").put("quant_method", "fp8");

        // then the tensors decide whether it can be served
        assertThat(ConfigReader.read(Golden.write(directory, json)).layers()).hasSize(4);
    }

    @Test
    void refusesAMissingFileBrokenJsonAndDuplicateKeys() throws IOException {
        assertThat(refusal(directory.resolve("config.json"))).hasMessageContaining("file not found");
        assertThat(refusal(text("{\"model_type\": "))).hasMessageContaining("not valid JSON");
        assertThat(refusal(text("[]"))).hasMessageContaining("JSON object");
        assertThat(refusal(text("{\"a\": 1, \"a\": 2}"))).hasMessageContaining("uplicate");
    }

    private Path text(String json) throws IOException {
        return Files.writeString(directory.resolve("config.json"), json);
    }

    private InvalidModelException refusal(ObjectNode json) throws IOException {
        return refusal(Golden.write(directory, json));
    }

    private static InvalidModelException refusal(Path file) {
        return catchThrowableOfType(InvalidModelException.class, () -> ConfigReader.read(file));
    }

    private static Arguments fault(Consumer<ObjectNode> change, String expected) {
        return Arguments.of(change, expected);
    }
}
