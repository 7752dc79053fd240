package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.reference.ReferenceKernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.precision.PrecisionProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A fast backend against plain Java on the trained model and real text, beyond the length where selection matters. */
abstract class NeedleMiniParityConformance {
    private static final Path MODEL = Path.of("src/main/resources/models/needle-mini");
    private static final int TOKENS = 4_224;
    private static final int[] CSA_LAYERS = {2, 4, 5};
    private static final int LAYERS = 6;
    private static final int EXPERTS_PER_TOKEN = 2;
    private static final float TOLERANCE = 1e-3f;
    /** Relative distance of two scores that fp32 sums of different order may swap. */
    private static final float ROUNDING = 1e-5f;

    abstract Kernels backend();

    @Test
    void logitsAndSelectionsOfRealTextAreThoseOfTheReference() throws IOException {
        int[] ids = realText();

        Recorded reference = run(
                new ReferenceKernels(Runtime.getRuntime().availableProcessors()),
                ids,
                Tap.SELECTION,
                Tap.SCORES,
                Tap.ROUTER_LOGITS);
        Recorded fast = run(backend(), ids, Tap.SELECTION);

        int divergence = firstDivergence(reference, fast);
        // A choice between equals may fall either way, and from there on the two are different continuations.
        assertThat(divergence == TOKENS || tied(reference, fast, divergence))
                .as("position %d differs although no choice there is a tie", divergence)
                .isTrue();
        assertThat(sameTopToken(reference, fast)).isGreaterThanOrEqualTo(0.995);
        for (int row = 0; row < divergence; row++) {
            for (int layer : CSA_LAYERS) {
                assertThat(tiedSelection(reference, fast, layer, row))
                        .as("layer %d, position %d: sets are equal but for ties", layer, row)
                        .isTrue();
            }
        }
    }

    /** The first position whose logits differ by more than the tolerance; TOKENS when there is none. */
    private static int firstDivergence(Recorded reference, Recorded fast) {
        int vocabulary = reference.logits().length / TOKENS;
        for (int i = 0; i < reference.logits().length; i++) {
            if (Math.abs(reference.logits()[i] - fast.logits()[i]) > TOLERANCE) {
                return i / vocabulary;
            }
        }
        return TOKENS;
    }

    private static double sameTopToken(Recorded reference, Recorded fast) {
        int same = 0;
        for (int row = 0; row < TOKENS; row++) {
            same += top(reference.logits(), row) == top(fast.logits(), row) ? 1 : 0;
        }
        return same / (double) TOKENS;
    }

    private static int top(float[] logits, int row) {
        int vocabulary = logits.length / TOKENS;
        int best = row * vocabulary;
        for (int i = best; i < (row + 1) * vocabulary; i++) {
            best = logits[i] > logits[best] ? i : best;
        }
        return best % vocabulary;
    }

    /** Whether some layer chose between experts, or between entries, whose scores are equal within rounding. */
    private static boolean tied(Recorded reference, Recorded fast, int row) {
        for (int layer = 0; layer < LAYERS; layer++) {
            float[] logits = reference.floats(Tap.ROUTER_LOGITS, layer);
            int experts = logits.length / TOKENS;
            float[] sorted = Arrays.copyOfRange(logits, row * experts, (row + 1) * experts);
            Arrays.sort(sorted);
            float last = sorted[experts - EXPERTS_PER_TOKEN];
            if (last - sorted[experts - EXPERTS_PER_TOKEN - 1] <= ROUNDING * Math.max(1, Math.abs(last))) {
                return true;
            }
        }
        for (int layer : CSA_LAYERS) {
            int budget = reference.selection(layer).length / TOKENS;
            boolean same = row(reference.selection(layer), row, budget).equals(row(fast.selection(layer), row, budget));
            if (!same && tiedSelection(reference, fast, layer, row)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the two sets of a position are equal but for entries whose scores tie with the cut within rounding. */
    private static boolean tiedSelection(Recorded reference, Recorded fast, int layer, int row) {
        int budget = reference.selection(layer).length / TOKENS;
        float[] scores = reference.floats(Tap.SCORES, layer);
        Set<Integer> expected = row(reference.selection(layer), row, budget);
        Set<Integer> actual = row(fast.selection(layer), row, budget);
        if (expected.equals(actual)) {
            return true;
        }
        float cut = Float.MAX_VALUE;
        for (int entry : expected) {
            cut = Math.min(cut, score(scores, row, entry));
        }
        Set<Integer> differing = new TreeSet<>(expected);
        differing.addAll(actual);
        Set<Integer> common = new TreeSet<>(expected);
        common.retainAll(actual);
        differing.removeAll(common);
        for (int entry : differing) {
            if (Math.abs(score(scores, row, entry) - cut) > ROUNDING * Math.max(1, Math.abs(cut))) {
                return false;
            }
        }
        return true;
    }

    /** Score tiles are as wide as the entries their step could see, so rows differ in width from chunk to chunk. */
    private static float score(float[] scores, int row, int entry) {
        int chunk = PrecisionProfile.DEFAULT_PREFILL_CHUNK;
        int at = 0;
        for (int from = 0; from < TOKENS; from += chunk) {
            int rows = Math.min(chunk, TOKENS - from);
            int width = Math.max(1, (from + rows) / 4);
            if (row < from + rows) {
                return scores[at + (row - from) * width + entry];
            }
            at += rows * width;
        }
        throw new IllegalArgumentException("no row " + row);
    }

    private static Recorded run(Kernels kernels, int[] ids, Tap... taps) {
        try (kernels;
                Checkpoint checkpoint = Checkpoint.open(MODEL);
                PromptRun run = new PromptRun(
                        checkpoint, PrecisionProfile.fp32(checkpoint.config().indexTopk()), kernels, TOKENS)) {
            List<Integer> chunks = run.chunks(TOKENS);
            return Recorded.of(run, kernels, ids, chunks, taps);
        }
    }

    private static Set<Integer> row(int[] selection, int row, int budget) {
        Set<Integer> ids = new TreeSet<>();
        for (int i = row * budget; i < (row + 1) * budget; i++) {
            if (selection[i] >= 0) {
                ids.add(selection[i]);
            }
        }
        return ids;
    }

    private static int[] realText() throws IOException {
        try (Tokenizer tokenizer = Tokenizer.load(MODEL.resolve("tokenizer.json"))) {
            int[] licence = tokenizer.encode(Files.readString(Path.of("LICENSE")));
            int[] ids = new int[TOKENS];
            for (int i = 0; i < TOKENS; i++) {
                ids[i] = licence[i % licence.length];
            }
            return ids;
        }
    }
}
