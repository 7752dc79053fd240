package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.TopkAlgorithm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every backend's forward pass against golden logits, however the prompt is cut. */
abstract class ForwardParityConformance {
    private static final float TOLERANCE = 1e-4f;
    /** Largest difference over largest value: streams are hundreds of times larger than logits. */
    private static final float LAYER_TOLERANCE = 1e-5f;

    private static final int BUDGET = 8;
    private static final int SHORT = 300;
    private static final int CSA_LAYER = 1;

    private Checkpoint checkpoint;
    private Kernels kernels;

    abstract Kernels backend(int threads);

    @BeforeEach
    void open() {
        checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
        kernels = backend(2);
    }

    @AfterEach
    void close() {
        kernels.close();
        checkpoint.close();
    }

    @Test
    void logitsOfOneShotEqualTheGolden() {
        assertThat(worst(golden(), fp32(shortIds(), List.of(SHORT)).logits())).isLessThanOrEqualTo(TOLERANCE);
    }

    @Test
    void logitsOfPrefillThenDecodeEqualTheGolden() {
        List<Integer> chunks = new ArrayList<>(List.of(133));
        chunks.addAll(Collections.nCopies(SHORT - 133, 1));
        assertThat(worst(golden(), fp32(shortIds(), chunks).logits())).isLessThanOrEqualTo(TOLERANCE);
    }

    @Test
    void logitsOfRaggedChunksEqualTheGolden() {
        List<Integer> chunks = List.of(5, 1, 130, 3, 61, 100);
        assertThat(worst(golden(), fp32(shortIds(), chunks).logits())).isLessThanOrEqualTo(TOLERANCE);
    }

    @Test
    void everyLayerEqualsTheGolden() {
        Recorded recorded =
                fp32(shortIds(), List.of(SHORT), Tap.ATTENTION_OUT, Tap.FFN_OUT, Tap.STREAMS_OUT, Tap.MIX_OUT);
        for (int layer = 0; layer < 4; layer++) {
            String prefix = "layer" + layer + ".";
            assertThat(relative(activations(prefix + "attn_hc.collapsed"), recorded.floats(Tap.MIX_OUT, layer)))
                    .as("collapsed streams of layer %d", layer)
                    .isLessThanOrEqualTo(LAYER_TOLERANCE);
            assertThat(relative(activations(prefix + "attn_out"), recorded.floats(Tap.ATTENTION_OUT, layer)))
                    .as("attention of layer %d", layer)
                    .isLessThanOrEqualTo(LAYER_TOLERANCE);
            assertThat(relative(activations(prefix + "ffn_out"), recorded.floats(Tap.FFN_OUT, layer)))
                    .as("experts of layer %d", layer)
                    .isLessThanOrEqualTo(LAYER_TOLERANCE);
            assertThat(relative(activations(prefix + "streams_out"), recorded.floats(Tap.STREAMS_OUT, layer)))
                    .as("streams of layer %d", layer)
                    .isLessThanOrEqualTo(LAYER_TOLERANCE);
        }
    }

    @Test
    void selectionsEqualTheGoldenAsSets() {
        Recorded recorded = fp32(shortIds(), List.of(SHORT), Tap.SELECTION);
        for (int layer : new int[] {CSA_LAYER, 3}) {
            int[] golden = GoldenData.ints("activations.safetensors", "layer" + layer + ".topk_idx");
            for (int row = 0; row < SHORT; row++) {
                assertThat(set(recorded.selection(layer), row))
                        .as("selection of position %d in layer %d", row, layer)
                        .isEqualTo(set(golden, row));
            }
        }
    }

    @Test
    void logitsAndSelectionsOfALongPromptEqualTheExecutableSpecification() {
        int[] ids = GoldenData.ints("long.safetensors", "input_ids");
        float[] gap = GoldenData.floats("long.safetensors", "cut_gap.layer1");
        int[] golden = GoldenData.ints("long.safetensors", "topk.layer1");

        Recorded recorded = fp32(ids, List.of(512, 512, 512, 512, 128), Tap.SELECTION);

        assertThat(worst(GoldenData.floats("long.safetensors", "logits"), recorded.logits()))
                .isLessThanOrEqualTo(TOLERANCE);
        for (int row = 0; row < ids.length; row++) {
            if (gap[row] > 1e-5) {
                assertThat(set(recorded.selection(CSA_LAYER), row))
                        .as("selection of position %d", row)
                        .isEqualTo(set(golden, row));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 10, 29, 64, 260})
    void logitsOfAModelWithUnusualDimensionsEqualTheExecutableSpecification(int chunk) {
        Path golden = GoldenData.ODD.resolve("golden.safetensors");
        int[] ids = GoldenData.ints(golden, "input_ids");
        try (Checkpoint odd = Checkpoint.open(GoldenData.ODD);
                PromptRun run = new PromptRun(
                        odd, PrecisionProfile.fp32(odd.config().indexTopk()).withPrefillChunk(chunk), kernels, 260)) {
            float[] logits =
                    Recorded.of(run, kernels, ids, run.chunks(ids.length)).logits();
            assertThat(worst(GoldenData.floats(golden, "logits"), logits)).isLessThanOrEqualTo(TOLERANCE);
        }
    }

    @Test
    void bothSelectionAlgorithmsGiveEqualLogits() {
        PrecisionProfile radix = PrecisionProfile.fp32(BUDGET).withTopk(TopkAlgorithm.RADIX);
        PrecisionProfile sort = PrecisionProfile.fp32(BUDGET).withTopk(TopkAlgorithm.SORT);
        assertThat(run(sort, kernels, shortIds(), List.of(SHORT)).logits())
                .isEqualTo(run(radix, kernels, shortIds(), List.of(SHORT)).logits());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void logitsAreBitwiseEqualWhereverThePromptIsCut(boolean bf16) {
        // Every phase modulo 4 and modulo 128 is the start of a chunk once.
        PrecisionProfile profile = bf16 ? PrecisionProfile.baseline(BUDGET) : PrecisionProfile.fp32(BUDGET);
        try (PromptRun run = new PromptRun(checkpoint, profile, kernels, SHORT)) {
            float[] whole =
                    Recorded.of(run, kernels, shortIds(), List.of(SHORT)).logits();
            for (int cut = 1; cut <= 132; cut++) {
                float[] parts = Recorded.of(run, kernels, shortIds(), List.of(cut, SHORT - cut))
                        .logits();
                assertThat(Arrays.equals(parts, whole)).as("cut at %d", cut).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void logitsAreBitwiseEqualForAnyNumberOfThreads(boolean bf16) {
        PrecisionProfile profile = bf16 ? PrecisionProfile.baseline(BUDGET) : PrecisionProfile.fp32(BUDGET);
        float[] two = run(profile, kernels, shortIds(), List.of(200, 100)).logits();
        try (Kernels single = backend(1)) {
            assertThat(run(profile, single, shortIds(), List.of(200, 100)).logits())
                    .isEqualTo(two);
        }
    }

    @Test
    void aBudgetThatCoversEveryEntryDiffersFromTheCheckpointsBudget() {
        float[] sparse = fp32(shortIds(), List.of(SHORT)).logits();
        float[] dense = run(PrecisionProfile.fp32(75), kernels, shortIds(), List.of(SHORT))
                .logits();
        assertThat(worst(sparse, dense)).isGreaterThan(0.05f);
    }

    @Test
    void reducedPrecisionStaysNearTheGoldenButIsNotFp32() {
        float[] bf16 = run(PrecisionProfile.baseline(BUDGET), kernels, shortIds(), List.of(SHORT))
                .logits();
        assertThat(medianDistance(golden(), bf16)).isBetween(1e-5f, 0.05f);
    }

    private Recorded fp32(int[] ids, List<Integer> chunks, Tap... taps) {
        return run(PrecisionProfile.fp32(BUDGET), kernels, ids, chunks, taps);
    }

    private Recorded run(PrecisionProfile profile, Kernels on, int[] ids, List<Integer> chunks, Tap... taps) {
        try (PromptRun run = new PromptRun(checkpoint, profile, on, ids.length)) {
            return Recorded.of(run, on, ids, chunks, taps);
        }
    }

    private static int[] shortIds() {
        return GoldenData.ints("activations.safetensors", "input_ids");
    }

    private static float[] golden() {
        return activations("logits");
    }

    private static float[] activations(String name) {
        return GoldenData.floats("activations.safetensors", name);
    }

    private static Set<Integer> set(int[] ids, int row) {
        Set<Integer> chosen = new TreeSet<>();
        for (int i = row * BUDGET; i < (row + 1) * BUDGET; i++) {
            if (ids[i] >= 0) {
                chosen.add(ids[i]);
            }
        }
        return chosen;
    }

    private static float worst(float[] expected, float[] actual) {
        assertThat(actual).hasSameSizeAs(expected);
        float worst = 0;
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).isFinite();
            worst = Math.max(worst, Math.abs(expected[i] - actual[i]));
        }
        return worst;
    }

    private static float relative(float[] expected, float[] actual) {
        float largest = 0;
        for (float value : expected) {
            largest = Math.max(largest, Math.abs(value));
        }
        return worst(expected, actual) / largest;
    }

    private static float medianDistance(float[] expected, float[] actual) {
        float[] distances = new float[expected.length];
        for (int i = 0; i < expected.length; i++) {
            distances[i] = Math.abs(expected[i] - actual[i]);
        }
        Arrays.sort(distances);
        return distances[distances.length / 2];
    }
}
