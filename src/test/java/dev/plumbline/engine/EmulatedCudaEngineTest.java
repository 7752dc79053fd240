package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cuda.EmulatedCuda;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The forward pass and the engine on the CUDA kernels, emulated: parity, and steps that are recorded and repeated. */
class EmulatedCudaEngineTest {
    private static final float TOLERANCE = 1e-4f;

    @Test
    void logitsOfOneShotAndOfDecodeEqualTheGolden() {
        int tokens = 140;
        int[] ids = Arrays.copyOf(GoldenData.ints("activations.safetensors", "input_ids"), tokens);
        float[] golden = GoldenData.floats("activations.safetensors", "logits");
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
                Kernels kernels = EmulatedCuda.kernels();
                PromptRun run = new PromptRun(checkpoint, PrecisionProfile.fp32(8), kernels, tokens)) {
            float[] whole = Recorded.of(run, kernels, ids, List.of(tokens)).logits();
            float[] cut =
                    Recorded.of(run, kernels, ids, List.of(121, 7, 1, 1, 1, 9)).logits();

            assertThat(worst(golden, whole)).isLessThanOrEqualTo(TOLERANCE);
            assertThat(Arrays.equals(cut, whole))
                    .as("bits however the prompt is cut")
                    .isTrue();
        }
    }

    @Test
    void logitsOfAModelWithUnusualDimensionsEqualTheExecutableSpecification() {
        Path file = GoldenData.ODD.resolve("golden.safetensors");
        int[] ids = Arrays.copyOf(GoldenData.ints(file, "input_ids"), 70);
        try (Checkpoint odd = Checkpoint.open(GoldenData.ODD);
                Kernels kernels = EmulatedCuda.kernels();
                PromptRun run =
                        new PromptRun(odd, PrecisionProfile.fp32(odd.config().indexTopk()), kernels, 70)) {
            float[] logits = Recorded.of(run, kernels, ids, List.of(29, 41)).logits();

            assertThat(worst(GoldenData.floats(file, "logits"), logits)).isLessThanOrEqualTo(TOLERANCE);
        }
    }

    @Test
    void repeatedStepsGiveTheTokensOfStepsThatAreNot() throws Exception {
        List<List<Integer>> plain = generate(false);
        List<List<Integer>> repeated = generate(true);

        assertThat(repeated).isEqualTo(plain);
        assertThat(plain).allSatisfy(tokens -> assertThat(tokens).hasSize(12));
    }

    /** Three generations together, that start at different times and cross a page of entries. */
    private static List<List<Integer>> generate(boolean graphs) throws Exception {
        PrecisionProfile profile =
                PrecisionProfile.baseline(8).withPrefillChunk(64).withGraphs(graphs);
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
                NativeEngine engine =
                        NativeEngine.load(checkpoint, profile, EmulatedCuda.kernels(), new EngineLimits(320, 3, 8))) {
            List<Collected> running = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                SamplingParameters sampling = i == 1
                        ? SamplingParameters.greedy()
                        : new SamplingParameters(1, 0.9f, i, 0.5f, 0.25f, Map.of(3, -2f));
                Collected collected = new Collected();
                running.add(collected);
                engine.submit(new GenerationRequest(prompt(250 + i, i), 12, sampling, Set.of(), 0), collected);
            }
            List<List<Integer>> tokens = new ArrayList<>();
            for (Collected collected : running) {
                collected.reason();
                tokens.add(collected.tokens());
            }
            return tokens;
        }
    }

    @Test
    void lanesRepeatTheirOwnStepsAlsoInMemoryThatAClosedOneHad() throws Exception {
        PrecisionProfile profile = PrecisionProfile.fp32(8).withPrefillChunk(64);
        LaneKey wide = LaneKey.startup(profile);
        LaneKey narrow = new LaneKey("narrow@1", profile.withIndexTopk(2));
        List<List<Integer>> alone = List.of(plainly(wide.profile()), plainly(narrow.profile()));
        assertThat(alone.get(1)).as("the lanes answer differently").isNotEqualTo(alone.get(0));

        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
                NativeEngine engine = NativeEngine.load(
                        checkpoint,
                        wide,
                        EmulatedCuda.kernels(),
                        new EngineLimits(120, 2, 8),
                        new LaneLimits(LaneLimits.BY_MACHINE, Duration.ofMillis(20)))) {
            for (int round = 0; round < 2; round++) {
                Collected onWide = new Collected();
                Collected onNarrow = new Collected();
                engine.submit(narrow, shortRequest(), onNarrow);
                engine.submit(wide, shortRequest(), onWide);
                onNarrow.reason();
                onWide.reason();

                assertThat(List.of(onWide.tokens(), onNarrow.tokens())).isEqualTo(alone);
                await().until(() -> engine.status().lanes().size() == 1);
            }
        }
    }

    private static List<Integer> plainly(PrecisionProfile profile) throws Exception {
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
                NativeEngine engine = NativeEngine.load(
                        checkpoint, profile.withGraphs(false), EmulatedCuda.kernels(), new EngineLimits(120, 2, 8))) {
            Collected collected = new Collected();
            engine.submit(shortRequest(), collected);
            collected.reason();
            return collected.tokens();
        }
    }

    private static GenerationRequest shortRequest() {
        return new GenerationRequest(
                new Random(2).ints(106, 0, 128).toArray(), 10, SamplingParameters.greedy(), Set.of(), 0);
    }

    private static int[] prompt(int length, int seed) {
        return new Random(seed).ints(length, 2, 128).toArray();
    }

    /** Largest difference over the rows that were computed. */
    private static float worst(float[] golden, float[] actual) {
        assertThat(actual.length).isLessThanOrEqualTo(golden.length);
        float worst = 0;
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).isFinite();
            worst = Math.max(worst, Math.abs(actual[i] - golden[i]));
        }
        return worst;
    }
}
