package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlagReadbackTest {
    private static final PrecisionProfile BASELINE = PrecisionProfile.baseline(8);
    private static final List<String> SERVED = List.of(
            "compress.bf16.avx512",
            "indexScores.bf16.avx512",
            "topK.radix.avx512",
            "attention.bf16.mma_decode.avx512",
            "mix.fp32.avx512",
            "experts.bf16.avx512",
            "appendRing.fp32.avx512");

    @Test
    void whatServesABaselineIsTheBaseline() {
        assertThat(FlagReadback.of(BASELINE, SERVED, Map.of())).isEqualTo(BASELINE.flags());
    }

    @ParameterizedTest
    @CsvSource({
        "indexScores.bf16.avx512, indexScores.index_fp8.avx512, index_key_dtype, fp8",
        "indexScores.bf16.avx512, indexScores.bf16.bf16_scores.gathered.sm_90, index_score_dtype, bf16",
        "indexScores.bf16.avx512, indexScores.bf16.gathered.java, index_logits, gathered",
        "topK.radix.avx512, topk.sort.java, topk_backend, sort",
        "attention.bf16.mma_decode.avx512, attention.bf16.java, attention_decode, scalar",
        "attention.bf16.mma_decode.avx512, attention.kv_fp8.mma_decode.java, kv_dtype, fp8",
        "mix.fp32.avx512, mix.bf16.avx512, hyper_connection_dtype, bf16",
        "experts.bf16.avx512, experts.bf16.separate.avx512, routed_scaling, separate",
        "experts.bf16.avx512, experts.bf16.scaled_sum.sm_90, routed_scaling, separate",
        "compress.bf16.avx512, compress.bf16.hadamard.avx512, index_rotation, hadamard",
        "compress.bf16.avx512, compress.bf16.hadamard_fp4.avx512, numerics, qat"
    })
    void anotherVariantThanWasAskedForIsTold(String right, String wrong, String flag, String value) {
        // given
        List<String> served = new ArrayList<>(SERVED);
        served.remove(right);
        served.add(wrong);

        // when
        Map<String, String> flags = FlagReadback.of(BASELINE, served, Map.of());

        // then
        assertThat(flags).containsEntry(flag, value);
        assertThat(flags.get(flag)).isNotEqualTo(BASELINE.flags().get(flag));
    }

    @Test
    void callsThatDisagreeAreBothTold() {
        List<String> served = new ArrayList<>(SERVED);
        served.add("topK.sort.avx512");

        assertThat(FlagReadback.of(BASELINE, served, Map.of())).containsEntry("topk_backend", "radix and sort");
    }

    @Test
    void memoryTellsWhatNoCallDoes() {
        assertThat(FlagReadback.of(BASELINE, List.of(), Map.of(Flag.PREFILL_CHUNK, "64", Flag.LINEAR_DTYPE, "fp32")))
                .containsEntry("prefill_chunk", "64")
                .containsEntry("linear_dtype", "fp32")
                .containsEntry("topk_backend", "radix");
    }

    @Test
    void aTrainedProfileIsReadBackFromItsTransforms() {
        PrecisionProfile trained = BASELINE.with(PartialProfile.parse(Map.of("numerics", "qat")));
        List<String> served = new ArrayList<>(SERVED);
        served.set(0, "compress.bf16.fp8_blocks.avx512");
        served.add("compress.bf16.hadamard_fp4.avx512");

        assertThat(FlagReadback.of(trained, served, Map.of())).isEqualTo(trained.flags());
    }
}
