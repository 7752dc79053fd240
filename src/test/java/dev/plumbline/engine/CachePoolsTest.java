package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cpu.CpuKernels;
import dev.plumbline.kernel.cuda.CudaKernels;
import dev.plumbline.kernel.cuda.EmulatedCuda;
import dev.plumbline.kernel.reference.ReferenceKernels;
import dev.plumbline.model.ConfigReader;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.Architecture;
import dev.plumbline.precision.CacheLayout;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.Pool;
import dev.plumbline.precision.PrecisionProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the pools of a lane allocate is what the arithmetic of memory says, to the byte. */
class CachePoolsTest {
    private static final EngineLimits LIMITS = new EngineLimits(1000, 3, 1);

    @TempDir
    Path folder;

    static Stream<Arguments> modelsAndProfiles() {
        return Stream.of(
                        "src/main/resources/models/needle-mini",
                        "src/test/resources/golden/v4-tiny",
                        "src/test/resources/golden/v4-odd")
                .flatMap(model -> Flag.KV_DTYPE.choices().stream().flatMap(kv -> Flag.INDEX_KEY_DTYPE.choices().stream()
                        .map(keys -> Arguments.of(Path.of(model, "config.json"), profile(kv, keys)))));
    }

    private static PrecisionProfile profile(String keyValues, String indexKeys) {
        return PrecisionProfile.baseline(8)
                .with(PartialProfile.parse(
                        Map.of(Flag.KV_DTYPE.key(), keyValues, Flag.INDEX_KEY_DTYPE.key(), indexKeys)));
    }

    @ParameterizedTest
    @MethodSource("modelsAndProfiles")
    void poolsAllocateWhatTheArithmeticSays(Path file, PrecisionProfile profile) {
        // given
        ModelConfig config = ConfigReader.read(file);
        CacheLayout layout = CacheLayout.of(Architectures.of("model", config), profile);

        try (Kernels kernels = new ReferenceKernels(1)) {
            assumeThat(kernels.refusal(profile)).isEmpty();

            // when
            try (CachePools pools = new CachePools(config, profile, kernels, LIMITS)) {

                // then
                assertThat(allocated(pools)).isEqualTo(expected(layout, LIMITS));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("modelsAndProfiles")
    void nativePoolsHoldThatMuchMemory(Path file, PrecisionProfile profile) {
        try (CpuKernels kernels = CpuKernels.create(1)) {
            holdThatMuchMemory(file, profile, kernels, kernels::allocatedBytes);
        }
    }

    @ParameterizedTest
    @MethodSource("modelsAndProfiles")
    void poolsOfADeviceHoldThatMuchOfItsMemory(Path file, PrecisionProfile profile) {
        try (CudaKernels kernels = EmulatedCuda.kernels()) {
            holdThatMuchMemory(file, profile, kernels, kernels::allocatedBytes);
        }
    }

    private static void holdThatMuchMemory(
            Path file, PrecisionProfile profile, Kernels kernels, LongSupplier allocatedBytes) {
        // given
        ModelConfig config = ConfigReader.read(file);
        CacheLayout layout = CacheLayout.of(Architectures.of("model", config), profile);
        assumeThat(kernels.refusal(profile)).isEmpty();
        long before = allocatedBytes.getAsLong();

        // when
        CachePools pools = new CachePools(config, profile, kernels, LIMITS);

        // then
        assertThat(allocatedBytes.getAsLong() - before)
                .isEqualTo(expected(layout, LIMITS).values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
        pools.close();
        assertThat(allocatedBytes.getAsLong()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("modelsAndProfiles")
    void aSnapshotOfThePrefixCacheTakesASequencesRings(Path file, PrecisionProfile profile) {
        // given
        ModelConfig config = ConfigReader.read(file);
        CacheLayout layout = CacheLayout.of(Architectures.of("model", config), profile);

        try (Kernels kernels = new ReferenceKernels(1)) {
            assumeThat(kernels.refusal(profile)).isEmpty();
            try (CachePools pools = new CachePools(config, profile, kernels, LIMITS);
                    PrefixCache prefixes = new PrefixCache(pools, kernels, kernels)) {

                // then
                assertThat(prefixes.status().allocatedBytes())
                        .isEqualTo(PrefixCache.snapshots(LIMITS.maxSequences()) * sum(layout.sequenceBytes()));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("modelsAndProfiles")
    void whatALeaseUsesIsWhatARequestCosts(Path file, PrecisionProfile profile) {
        // given
        ModelConfig config = ConfigReader.read(file);
        CacheLayout layout = CacheLayout.of(Architectures.of("model", config), profile);

        try (Kernels kernels = new ReferenceKernels(1)) {
            assumeThat(kernels.refusal(profile)).isEmpty();
            CachePools pools = new CachePools(config, profile, kernels, LIMITS);
            for (int tokens : new int[] {1, 255, 256, 260, 1000}) {
                // when
                SequenceCache lease = pools.lease(tokens);

                // then
                assertThat(pools.status().stream()
                                .mapToLong(PoolStatus::usedBytes)
                                .sum())
                        .as("bytes of %d tokens", tokens)
                        .isEqualTo(sum(layout.requestBytes(tokens)));
                assertThat(pools.status()).allSatisfy(pool -> assertThat(pool.usedBytes() + pool.freeBytes())
                        .isEqualTo(pool.allocatedBytes()));
                pools.release(lease);
            }
        }
    }

    @Test
    void thePresetIsWhatThePublishedConfigSays() throws IOException {
        // given
        String ratios = "0, 0, " + String.join(", ", Collections.nCopies(20, "4, 128")) + ", 4, 0";
        Path file = Files.writeString(folder.resolve("config.json"), """
                {"model_type": "deepseek_v4", "vocab_size": 129280, "hidden_size": 4096, "num_hidden_layers": 43,
                 "num_attention_heads": 64, "num_key_value_heads": 1, "head_dim": 512, "qk_rope_head_dim": 64,
                 "q_lora_rank": 1024, "o_lora_rank": 1024, "o_groups": 8, "sliding_window": 128,
                 "compress_ratios": [%s], "index_n_heads": 64, "index_head_dim": 128, "index_topk": 512,
                 "hc_mult": 4, "hc_sinkhorn_iters": 20, "hc_eps": 1e-06, "n_routed_experts": 256,
                 "n_shared_experts": 1, "num_experts_per_tok": 6, "moe_intermediate_size": 2048,
                 "scoring_func": "sqrtsoftplus", "topk_method": "noaux_tc", "norm_topk_prob": true,
                 "routed_scaling_factor": 1.5, "num_hash_layers": 3, "swiglu_limit": 10.0, "rms_norm_eps": 1e-06,
                 "rope_theta": 10000, "compress_rope_theta": 160000, "rope_scaling": {"type": "yarn", "factor": 16,
                 "original_max_position_embeddings": 65536, "beta_fast": 32, "beta_slow": 1},
                 "max_position_embeddings": 1048576, "num_nextn_predict_layers": 1, "hidden_act": "silu",
                 "attention_bias": false, "bos_token_id": 0, "eos_token_id": 1, "tie_word_embeddings": false}
                """.replace("%s", ratios));

        // then
        assertThat(Architectures.of("v4-flash", ConfigReader.read(file))).isEqualTo(Architecture.V4_FLASH);
    }

    private static Map<String, Long> allocated(CachePools pools) {
        return pools.status().stream().collect(Collectors.toMap(PoolStatus::name, PoolStatus::allocatedBytes));
    }

    private static Map<String, Long> expected(CacheLayout layout, EngineLimits limits) {
        int sequences = limits.maxSequences();
        return Map.of(
                "rings", sequences * sum(layout.sequenceBytes()),
                "csa-pages", sequences * layout.csaPages(limits.maxContext()) * layout.csaPageBytes(),
                "hca-pages", sequences * layout.hcaPages(limits.maxContext()) * layout.hcaPageBytes());
    }

    private static long sum(Map<Pool, Long> bytes) {
        return bytes.values().stream().flatMapToLong(LongStream::of).sum();
    }
}
