package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole model under every flag value: logits stay near those of fp32, are not those of fp32 where the value is to
 * change them, and are the same bits however the prompt is cut.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FlagParityConformance {
    private static final int BUDGET = 8;
    private static final int PROMPT = 180;
    private static final int TOKENS = 196;

    /** Normalised squared error against fp32 that a value may have: about four times what was measured at most. */
    private static final double BOUND = 2e-3;

    /** Values that need not change logits: rotation alone keeps every product, and v4-tiny is stored in fp32. */
    private static final Set<String> NEUTRAL = Set.of("hadamard", "stored");

    private static final PartialProfile ROTATED_FP8 = partial("index_rotation=hadamard,index_key_dtype=fp8");
    private static final PartialProfile EVERYTHING_REDUCED =
            partial("linear_dtype=bf16,index_key_dtype=mxfp4,index_rotation=hadamard,index_score_dtype=bf16,"
                    + "index_logits=gathered,kv_dtype=fp8,attention_decode=mma,hyper_connection_dtype=bf16,"
                    + "expert_dtype=bf16,routed_scaling=separate");

    private Checkpoint checkpoint;
    private Kernels kernels;
    private float[] fp32;

    abstract Kernels backend(int threads);

    @BeforeAll
    void open() {
        checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
        kernels = backend(2);
        fp32 = run(PrecisionProfile.fp32(BUDGET), List.of(PROMPT));
    }

    @AfterAll
    void close() {
        if (kernels != null) {
            kernels.close();
        }
        checkpoint.close();
    }

    private static PartialProfile partial(String flags) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String flag : flags.split(",")) {
            values.put(flag.split("=")[0], flag.split("=")[1]);
        }
        return PartialProfile.parse(values);
    }

    static Stream<PartialProfile> everyValueThatFp32DoesNotHave() {
        PrecisionProfile base = PrecisionProfile.fp32(BUDGET);
        Stream<PartialProfile> single = Arrays.stream(Flag.values())
                .filter(flag -> !flag.number() && flag != Flag.GRAPHS && flag != Flag.PREFIX_CACHE)
                .flatMap(flag -> flag.choices().stream()
                        .filter(value -> !value.equals(base.value(flag)))
                        .map(value -> PartialProfile.of(flag, value)));
        return Stream.concat(single, Stream.of(ROTATED_FP8, EVERYTHING_REDUCED));
    }

    @ParameterizedTest
    @MethodSource("everyValueThatFp32DoesNotHave")
    void logitsStayNearThoseOfFp32AndDoNotDependOnTheCutting(PartialProfile flags) {
        // given
        PrecisionProfile profile = PrecisionProfile.fp32(BUDGET).with(flags);
        String refusal = kernels.refusal(profile).orElse(null);
        Assumptions.assumeTrue(refusal == null, refusal);

        // when
        float[] whole = run(profile, List.of(PROMPT));
        float[] cut = run(profile, List.of(1, 3, 7, 130, 1, PROMPT - 142));

        // then
        double error = error(whole, fp32);
        System.out.println(
                "NMSE of v4-tiny's logits with " + flags.flags() + " on " + kernels.backend() + ": " + error);
        assertThat(Arrays.equals(cut, whole)).as("the same bits in six chunks").isTrue();
        assertThat(error).isLessThanOrEqualTo(BOUND);
        if (flags.values().entrySet().stream().anyMatch(FlagParityConformance::changesTheseLogits)) {
            assertThat(error).as("logits that differ from fp32").isPositive();
        } else {
            assertThat(error).as("logits that are those of fp32").isZero();
        }
    }

    private static boolean changesTheseLogits(Map.Entry<Flag, String> flag) {
        return flag.getKey().arithmetic() && !NEUTRAL.contains(flag.getValue());
    }

    /** The prompt in chunks, then tokens of the decode stage, one a step. */
    private float[] run(PrecisionProfile profile, List<Integer> prompt) {
        List<Integer> chunks = new ArrayList<>(prompt);
        chunks.addAll(Collections.nCopies(TOKENS - PROMPT, 1));
        int[] ids = Arrays.copyOf(GoldenData.ints("activations.safetensors", "input_ids"), TOKENS);
        try (PromptRun run = new PromptRun(checkpoint, profile, kernels, TOKENS).decodeFrom(PROMPT)) {
            float[] logits = Recorded.of(run, kernels, ids, chunks).logits();
            for (float logit : logits) {
                assertThat(logit).isFinite();
            }
            return logits;
        }
    }

    private static double error(float[] actual, float[] expected) {
        double error = 0;
        double power = 0;
        for (int i = 0; i < expected.length; i++) {
            error += ((double) actual[i] - expected[i]) * ((double) actual[i] - expected[i]);
            power += (double) expected[i] * expected[i];
        }
        return error / power;
    }
}
