package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.kernel.reference.ReferenceKernels;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kit itself: a fault in the kernel of one value is found by the check of that value, and by no other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlagFaultsTest {
    private final Map<FlagCheck, Set<String>> served = new EnumMap<>(FlagCheck.class);

    /** A check that a variant does not serve cannot see a fault in it: only the others are run again. */
    @BeforeAll
    void noteWhatServesEachCheck() {
        for (FlagCheck check : FlagCheck.values()) {
            Set<String> ids = new TreeSet<>();
            try (Kernels kernels = Fault.noting(ids, new ReferenceKernels(2))) {
                check.run(new Kit(kernels));
            }
            served.put(check, ids);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            indexScores.fp32.java             | index_key_dtype=fp32
            compress.index_fp8.java           | index_key_dtype=fp8
            indexScores.index_fp8.java        | index_key_dtype=fp8
            compress.index_mxfp4.java         | index_key_dtype=mxfp4
            indexScores.index_mxfp4.java      | index_key_dtype=mxfp4
            indexScores.bf16.bf16_scores.java | index_score_dtype=bf16
            indexScores.bf16.gathered.java    | index_logits=gathered
            transform.hadamard.java           | index_rotation=hadamard
            compress.bf16.hadamard.java       | index_rotation=hadamard
            transform.hadamard_fp4.java       | numerics=qat
            compress.bf16.hadamard_fp4.java   | numerics=qat
            compress.bf16.fp8_blocks.java     | numerics=qat
            topk.radix.java                   | topk_backend=radix
            topk.sort.java                    | topk_backend=sort
            compress.kv_fp8.java              | kv_dtype=fp8
            appendRing.kv_fp8.java            | kv_dtype=fp8, attention_decode=mma
            attention.kv_fp8.java             | kv_dtype=fp8, attention_decode=mma
            attention.bf16.mma_decode.java    | attention_decode=mma
            mix.fp32.java                     | hyper_connection_dtype=fp32
            mix.bf16.java                     | hyper_connection_dtype=bf16
            collapse.bf16.java                | hyper_connection_dtype=bf16
            linear.fp32.java                  | linear_dtype=fp32
            linear.bf16.java                  | linear_dtype=bf16
            experts.fp32.java                 | expert_dtype=fp32
            experts.bf16.java                 | expert_dtype=bf16
            experts.bf16.separate.java        | routed_scaling=separate
            """)
    void aFaultInOneVariantFailsTheChecksOfItsValueOnly(String variant, String expected) {
        // given
        Set<String> failing = new TreeSet<>();

        // when
        try (Kernels kernels = Fault.in(variant, new ReferenceKernels(2))) {
            for (FlagCheck check : FlagCheck.values()) {
                if (served.get(check).contains(variant) && fails(check, new Kit(kernels))) {
                    failing.add(check.toString());
                }
            }
        }

        // then
        assertThat(failing)
                .as("checks that fail when %s is wrong", variant)
                .isEqualTo(new TreeSet<>(List.of(expected.split(", "))));
    }

    private static boolean fails(FlagCheck check, Kit kit) {
        try {
            check.run(kit);
            return false;
        } catch (AssertionError found) {
            return true;
        }
    }

    @ParameterizedTest
    @CsvSource({"index_key_dtype=bf16, indexScores.bf16.java", "kv_dtype=bf16, attention.bf16.java"})
    void aVariantThatSeveralValuesUseIsFoundByItsOwnCheck(String value, String variant) {
        try (Kernels kernels = Fault.in(variant, new ReferenceKernels(2))) {
            Set<String> failing = served.keySet().stream()
                    .filter(check -> served.get(check).contains(variant))
                    .filter(check -> fails(check, new Kit(kernels)))
                    .map(FlagCheck::toString)
                    .collect(Collectors.toSet());
            assertThat(failing).contains(value).doesNotContain("index_key_dtype=fp8", "kv_dtype=fp8");
        }
    }
}
