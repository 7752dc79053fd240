package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Router and routed experts. */
interface RoutingConformance extends Conformance {

    /** Runs the router on plain rows; returns ids and weights. */
    default Tensor[] route(float[] logits, int t, int experts, float[] bias, int k, float scaling) {
        Tensor ids = kit().poisoned(DType.INT32, t, k);
        Tensor weights = kit().poisoned(DType.FP32, t, k);
        kit().kernels()
                .route(
                        new Runs(kit()).run(0, 0, t).batch(),
                        kit().floats(logits, t, experts),
                        bias == null ? null : kit().floats(bias, experts),
                        null,
                        scaling,
                        ids,
                        weights);
        return new Tensor[] {ids, weights};
    }

    @ParameterizedTest
    @CsvSource({"1,8,2", "17,256,6", "5,3,3", "4,1,1", "9,33,4"})
    default void theHighestBiasedAffinitiesAreChosenInOrder(int t, int experts, int k) {
        float[] logits = Kit.scaled(Kit.random(1, (long) t * experts), 9);
        float[] bias = Kit.scaled(Kit.random(2, experts), 0.5f);
        for (float[] b : new float[][] {bias, null}) {
            Tensor[] routed = route(logits, t, experts, b, k, 1.5f);
            int[] ids = kit().writtenInts(routed[0]);
            float[] weights = kit().written(routed[1]);
            double[] expected = new double[t * k];
            for (int i = 0; i < t; i++) {
                double sum = 0;
                double before = Double.POSITIVE_INFINITY;
                for (int j = 0; j < k; j++) {
                    int e = ids[i * k + j];
                    double s = Oracle.affinity(logits[i * experts + e]);
                    double biased = s + (b == null ? 0 : b[e]);
                    assertThat(biased).as("order of choice").isLessThanOrEqualTo(before + 1e-6);
                    before = biased;
                    sum += s;
                    expected[i * k + j] = 1.5 * s;
                }
                for (int j = 0; j < k; j++) {
                    expected[i * k + j] /= sum + 1e-20;
                }
                assertHighest(logits, i * experts, experts, b, Arrays.copyOfRange(ids, i * k, i * k + k), before);
            }
            Kit.assertClose(weights, expected, Kit.FP32);
        }
    }

    private static void assertHighest(float[] logits, int at, int experts, float[] bias, int[] chosen, double lowest) {
        assertThat(chosen).doesNotHaveDuplicates();
        for (int e = 0; e < experts; e++) {
            int expert = e;
            if (Arrays.stream(chosen).noneMatch(c -> c == expert)) {
                double biased = Oracle.affinity(logits[at + e]) + (bias == null ? 0 : bias[e]);
                assertThat(biased).as("expert %d was left out", e).isLessThanOrEqualTo(lowest + 1e-6);
            }
        }
    }

    @Test
    default void theBiasChoosesButDoesNotWeigh() {
        Tensor[] routed = route(new float[] {1, 1, 1, 1}, 1, 4, new float[] {0, 0, 100, 50}, 2, 1.5f);
        assertThat(kit().readInts(routed[0])).containsExactly(2, 3);
        assertThat(kit().read(routed[1])).containsExactly(new float[] {0.75f, 0.75f}, Offset.offset(1e-6f));
    }

    @Test
    default void tiedExpertsAreTakenFromTheLowestId() {
        Tensor[] routed = route(new float[] {2, 3, 2, 3, 3, 2}, 1, 6, null, 5, 1);
        assertThat(kit().readInts(routed[0])).containsExactly(1, 3, 4, 0, 2);
    }

    @Test
    default void knownAffinitiesComeOut() {
        float[] logits = {-5, -1, 0, 1, 5, 25};
        double[] affinities = {0.081947, 0.559698, 0.832555, 1.145976, 2.237569, 5.0};
        Tensor[] routed = route(logits, 1, 6, null, 6, 1);
        assertThat(kit().readInts(routed[0])).containsExactly(5, 4, 3, 2, 1, 0);
        double sum = Arrays.stream(affinities).sum();
        float[] weights = kit().read(routed[1]);
        for (int i = 0; i < 6; i++) {
            assertThat((double) weights[5 - i]).isCloseTo(affinities[i] / sum, Offset.offset(1e-6));
        }
    }

    @Test
    default void weightsOfVeryNegativeLogitsStayFinite() {
        Tensor[] routed = route(new float[] {-300, -300, -400}, 1, 3, null, 2, 1);
        for (float weight : kit().written(routed[1])) {
            assertThat(weight).isBetween(0f, 1f);
        }
    }

    @Test
    default void aTableGivesTheExpertsByToken() {
        int[] table = {3, 1, 0, 2, 1, 3};
        float[] logits = Kit.random(1, 4 * 4);
        Batch batch = new Runs(kit()).run(0, 0, 3).tokens(2, 0, 2).padding(1).batch();
        Tensor ids = kit().poisoned(DType.INT32, 4, 2);
        Tensor weights = kit().poisoned(DType.FP32, 4, 2);
        kit().kernels()
                .route(
                        batch,
                        kit().floats(logits, 4, 4),
                        kit().floats(new float[] {9, 9, 9, 9}, 4),
                        kit().ints(table, 3, 2),
                        1.5f,
                        ids,
                        weights);
        assertThat(Arrays.copyOf(kit().readInts(ids), 6)).containsExactly(1, 3, 3, 1, 1, 3);
        double[] expected = new double[6];
        int[] chosen = {1, 3, 3, 1, 1, 3};
        for (int i = 0; i < 6; i++) {
            int row = i / 2 * 4;
            double a = Oracle.affinity(logits[row + chosen[i]]);
            double b = Oracle.affinity(logits[row + chosen[i ^ 1]]);
            expected[i] = 1.5 * a / (a + b);
        }
        Kit.assertClose(Arrays.copyOf(kit().read(weights), 6), expected, Kit.FP32);
    }

    @ParameterizedTest
    @CsvSource({"1,16,8,4,2", "17,33,20,5,3", "40,64,70,3,2", "6,20,5,7,1"})
    default void expertsAreAddedToWhatIsThere(int t, int d, int inner, int experts, int k) {
        for (DType form : List.of(DType.FP32, DType.BF16)) {
            float[] x = Kit.random(1, (long) t * d);
            float[] y = Kit.random(2, (long) t * d);
            float[] weights = Kit.random(3, (long) t * k);
            int[] ids = new int[t * k];
            for (int i = 0; i < t; i++) {
                System.arraycopy(Kit.shuffled(i, experts), 0, ids, i * k, k);
            }
            Arrays.fill(ids, 0, k, Math.min(2, experts - 1));
            List<LinearWeight> gateUp = new ArrayList<>();
            List<LinearWeight> down = new ArrayList<>();
            List<float[]> ups = new ArrayList<>();
            List<float[]> downs = new ArrayList<>();
            for (int e = 0; e < experts; e++) {
                ups.add(Kit.random(100 + e, 2L * inner * d));
                downs.add(Kit.random(200 + e, (long) d * inner));
                gateUp.add(kit().weight(ups.get(e), 2 * inner, d, form));
                down.add(kit().weight(downs.get(e), d, inner, form));
            }
            double[] expected = Oracle.doubles(y);
            for (int i = 0; i < t * k; i++) {
                int row = i / k * d;
                double[] out = Oracle.expert(
                        Arrays.copyOfRange(x, row, row + d), ups.get(ids[i]), downs.get(ids[i]), d, inner, 3, form);
                for (int j = 0; j < d; j++) {
                    expected[row + j] += weights[i] * out[j];
                }
            }
            Tensor sum = kit().floats(y, t, d);
            kit().kernels()
                    .experts(
                            new Runs(kit()).run(0, 0, t).batch(),
                            kit().floats(x, t, d),
                            kit().ints(ids, t, k),
                            kit().floats(weights, t, k),
                            gateUp,
                            down,
                            3,
                            sum);
            // a hidden value next to a bf16 tie may be rounded the other way by float arithmetic
            Kit.assertClose(kit().written(sum), expected, form == DType.FP32 ? Kit.FP32 : 10 * Kit.BF16);
        }
    }

    @Test
    default void rowsOfPaddingAreSkippedByTheExperts() {
        List<LinearWeight> up = List.of(kit().weight(Kit.random(1, 32), 8, 4, DType.FP32));
        List<LinearWeight> down = List.of(kit().weight(Kit.random(2, 16), 4, 4, DType.FP32));
        Batch batch = new Runs(kit()).run(0, 0, 1).padding(2).batch();
        Tensor y = kit().floats(new float[] {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, 3, 4);
        kit().kernels()
                .experts(
                        batch,
                        kit().floats(Kit.random(3, 12), 3, 4),
                        kit().ints(new int[] {0, -9, 1_000_000}, 3, 1),
                        kit().floats(new float[] {1, 1, 1}, 3, 1),
                        up,
                        down,
                        10,
                        y);
        assertThat(Arrays.copyOfRange(kit().read(y), 4, 12)).containsExactly(2, 2, 2, 2, 3, 3, 3, 3);
        assertThat(Arrays.copyOf(kit().read(y), 4)).isNotEqualTo(new float[] {1, 1, 1, 1});
    }

    @Test
    default void expertsAreSummedInTheOrderOfChoice() {
        int d = 4;
        float[] identity = new float[d * d];
        float[][] downs = new float[3][];
        for (int e = 0; e < 3; e++) {
            downs[e] = identity.clone();
            downs[e][0] = new float[] {1e8f, -1e8f, 1f}[e];
        }
        float[] gate = new float[8 * 4];
        gate[0] = 1;
        gate[4 * 4] = 1;
        List<LinearWeight> up = new ArrayList<>();
        List<LinearWeight> down = new ArrayList<>();
        for (int e = 0; e < 3; e++) {
            up.add(kit().weight(gate, 8, 4, DType.FP32));
            down.add(kit().weight(downs[e], 4, 4, DType.FP32));
        }
        float[] x = new float[12];
        x[0] = x[4] = x[8] = 10;
        Tensor y = kit().kernels().allocate(DType.FP32, 3, 4);
        kit().kernels()
                .experts(
                        new Runs(kit()).run(0, 0, 3).batch(),
                        kit().floats(x, 3, 4),
                        kit().ints(new int[] {0, 1, 2, 2, 0, 1, 0, 2, 1}, 3, 3),
                        kit().floats(new float[] {1, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 3),
                        up,
                        down,
                        100,
                        y);
        float[] read = kit().read(y);
        float one = (float) Oracle.swiglu(10, 10, 100);
        assertThat(read[0]).isCloseTo(one, Offset.offset(0.01f));
        assertThat(read[4]).isNotCloseTo(one, Offset.offset(0.01f));
        assertThat(read[8]).isNotCloseTo(one, Offset.offset(0.01f));
    }

    @Test
    default void notANumberSpoilsItsOwnRowOfTheExpertsOnly() {
        for (DType form : List.of(DType.FP32, DType.BF16)) {
            List<LinearWeight> up = List.of(
                    kit().weight(Kit.random(1, 2 * 5 * 20), 10, 20, form),
                    kit().weight(Kit.random(2, 2 * 5 * 20), 10, 20, form));
            List<LinearWeight> down = List.of(
                    kit().weight(Kit.random(3, 20 * 5), 20, 5, form), kit().weight(Kit.random(4, 20 * 5), 20, 5, form));
            float[] x = Kit.random(5, 4 * 20);
            float[] clean = expertsOf(x, up, down);
            x[2 * 20 + 19] = Float.NaN;
            Kit.assertSpoiled(expertsOf(x, up, down), clean, i -> i / 20 == 2, "sums of " + form);
        }
    }

    private float[] expertsOf(float[] x, List<LinearWeight> up, List<LinearWeight> down) {
        Tensor y = kit().floats(Kit.random(6, 4 * 20), 4, 20);
        kit().kernels()
                .experts(
                        new Runs(kit()).run(0, 0, 4).batch(),
                        kit().floats(x, 4, 20),
                        kit().ints(new int[] {0, 1, 1, 0, 1, 0, 0, 1}, 4, 2),
                        kit().floats(Kit.random(7, 8), 4, 2),
                        up,
                        down,
                        3,
                        y);
        return kit().read(y);
    }
}
