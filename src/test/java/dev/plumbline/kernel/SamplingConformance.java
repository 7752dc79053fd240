package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sampling: greedy, temperature, nucleus, adjustments, reproducible draws. */
interface SamplingConformance extends Conformance {

    /** Rows that differ only in position, from 0 on. */
    record Draw(float temperature, float topP, long seed, int choice) {
        int[] tokens(Kit kit, float[] logits, int rows) {
            float[] all = new float[rows * logits.length];
            for (int i = 0; i < rows; i++) {
                System.arraycopy(logits, 0, all, i * logits.length, logits.length);
            }
            return sample(
                    kit, kit.floats(all, rows, logits.length), rows, 0, new int[rows + 1], new int[1], new float[1]);
        }

        int[] sample(
                Kit kit, Tensor logits, int rows, int firstPosition, int[] starts, int[] tokens, float[] adjustments) {
            int[] seeds = new int[2 * rows];
            float[] temperatures = new float[rows];
            float[] topPs = new float[rows];
            int[] choices = new int[rows];
            for (int i = 0; i < rows; i++) {
                seeds[2 * i] = (int) seed;
                seeds[2 * i + 1] = (int) (seed >>> 32);
                temperatures[i] = temperature;
                topPs[i] = topP;
                choices[i] = choice;
            }
            Tensor ids = kit.poisoned(DType.INT32, rows);
            kit.kernels()
                    .sample(
                            logits,
                            new Sampling(
                                    kit.ints(starts),
                                    kit.ints(tokens),
                                    kit.floats(adjustments, adjustments.length),
                                    kit.floats(temperatures, rows),
                                    kit.floats(topPs, rows),
                                    kit.ints(seeds, rows, 2),
                                    kit.ints(choices),
                                    kit.ints(IntStream.range(firstPosition, firstPosition + rows)
                                            .toArray())),
                            ids);
            return kit.writtenInts(ids);
        }
    }

    @Test
    default void greedyTakesTheHighestAndOfTiesTheLowestId() {
        float[] logits = {1, 5, 5, -3, 5, 4.9999995f};
        assertThat(new Draw(0, 1, 3, 0).tokens(kit(), logits, 3)).containsOnly(1);
        assertThat(new Draw(0, 0.1f, 3, 0).tokens(kit(), new float[] {-0f, 0f, -1f}, 2))
                .containsOnly(0);
        assertThat(new Draw(0, 1, 3, 0).tokens(kit(), new float[] {-7}, 1)).containsOnly(0);
    }

    @Test
    default void greedyPassesOverNotANumber() {
        float infinite = Float.POSITIVE_INFINITY;
        assertThat(new Draw(0, 1, 3, 0).tokens(kit(), new float[] {Float.NaN, -2, Float.NaN, -1}, 1))
                .containsExactly(3);
        assertThat(new Draw(0, 1, 3, 0).tokens(kit(), new float[] {-infinite, -infinite}, 1))
                .containsExactly(0);
        assertThat(new Draw(1, 1, 3, 0).tokens(kit(), new float[] {Float.NaN, -infinite}, 1))
                .containsExactly(0);
        assertThat(new Draw(1, 1, 3, 0).tokens(kit(), new float[] {0, infinite, infinite}, 1))
                .containsExactly(1);
    }

    @Test
    default void longRowsFindTheirHighestLogit() {
        float[] logits = Kit.random(1, 5003);
        logits[4999] = 50;
        assertThat(new Draw(0, 1, 0, 0).tokens(kit(), logits, 2)).containsOnly(4999);
        assertThat(new Draw(0.5f, 0.9f, 0, 0).tokens(kit(), logits, 2)).containsOnly(4999);
    }

    @Test
    default void drawsFollowTheTemperedDistribution() {
        float[] logits = {1, 0, -1, 2, 0.5f, -30};
        int rows = 8000;
        for (float temperature : new float[] {0.5f, 1, 2}) {
            double[] p = new double[logits.length];
            double total = 0;
            for (int v = 0; v < p.length; v++) {
                p[v] = Math.exp(logits[v] / (double) temperature);
                total += p[v];
            }
            int[] seen = histogram(new Draw(temperature, 1, 42, 0).tokens(kit(), logits, rows), p.length);
            double chi = 0;
            for (int v = 0; v < 5; v++) {
                double expected = rows * p[v] / total;
                chi += (seen[v] - expected) * (seen[v] - expected) / expected;
            }
            assertThat(chi).as("chi-square of %s", Arrays.toString(seen)).isLessThan(20);
            assertThat(seen[5]).isLessThanOrEqualTo(2);
        }
    }

    private static int[] histogram(int[] tokens, int size) {
        int[] seen = new int[size];
        for (int token : tokens) {
            seen[token]++;
        }
        return seen;
    }

    @Test
    default void aNucleusKeepsTheSmallestSufficientSet() {
        float[] logits = logs(0.4, 0.3, 0.2, 0.1);
        assertThat(histogram(new Draw(1, 0.39f, 7, 0).tokens(kit(), logits, 200), 4))
                .containsExactly(200, 0, 0, 0);
        assertThat(new Draw(1, 1e-9f, 7, 0).tokens(kit(), logits, 50)).containsOnly(0);
        int[] two = histogram(new Draw(1, 0.6f, 7, 0).tokens(kit(), logits, 4000), 4);
        assertThat(two[2] + two[3]).isZero();
        assertThat(two[0] / 4000.0).isBetween(4 / 7.0 - 0.04, 4 / 7.0 + 0.04);
        int[] three = histogram(new Draw(1, 0.8f, 7, 0).tokens(kit(), logits, 4000), 4);
        assertThat(three[2]).isPositive();
        assertThat(three[3]).isZero();
        assertThat(histogram(new Draw(1, 1, 7, 0).tokens(kit(), logits, 4000), 4)[3])
                .isPositive();
    }

    private static float[] logs(double... probabilities) {
        return Oracle.floats(Arrays.stream(probabilities).map(Math::log).toArray());
    }

    @Test
    default void aNucleusOfTiesKeepsTheLowerIds() {
        int[] seen = histogram(new Draw(1, 0.45f, 9, 0).tokens(kit(), new float[] {0, 0, 0, 0}, 400), 4);
        assertThat(seen[0]).isPositive();
        assertThat(seen[1]).isPositive();
        assertThat(seen[2] + seen[3]).isZero();
    }

    @Test
    default void aPrefixThatReachesTheMassExactlyIsEnough() {
        float[] flat = new float[4];
        assertThat(new Draw(1, 0.25f, 9, 0).tokens(kit(), flat, 100)).containsOnly(0);
        assertThat(new Draw(1, 0.5f, 9, 0).tokens(kit(), flat, 400)).containsOnly(0, 1);
        assertThat(new Draw(1, 0.75f, 9, 0).tokens(kit(), flat, 400)).containsOnly(0, 1, 2);
    }

    @Test
    default void aDrawOnTheBoundaryTakesTheNextToken() {
        int position = 0;
        while ((philox(position, 0, 0, 0) >>> 8 & 0xfff) != 0 || philox(position, 0, 0, 0) >>> 20 == 0) {
            position++;
        }
        Tensor logits = kit().floats(new float[1 << 12], 1, 1 << 12);
        int[] token = new Draw(1, 1, 0, 0).sample(kit(), logits, 1, position, new int[2], new int[1], new float[1]);
        assertThat(token[0]).isEqualTo(philox(position, 0, 0, 0) >>> 20);
    }

    @Test
    default void drawsArePhiloxUniformsOfSeedChoiceAndPosition() {
        float[] flat = new float[1 << 12];
        int[] tokens = new Draw(1, 1, 0, 0).tokens(kit(), flat, 1);
        assertThat(tokens[0]).as("first word 6627e8d5 of 4096 equal steps").isEqualTo(0x6627e8d5 >>> 20);
        Tensor logits = kit().floats(flat, 1, flat.length);
        int[] ones = new Draw(1, 1, -1, 5).sample(kit(), logits, 1, 9, new int[2], new int[1], new float[1]);
        assertThat(ones[0]).isEqualTo(philox(9, 5, -1, -1) >>> 20);
        int[] other = new Draw(1, 1, 0x0123456789abcdefL, 2)
                .sample(kit(), logits, 1, 77, new int[2], new int[1], new float[1]);
        assertThat(other[0]).isEqualTo(philox(77, 2, 0x89abcdef, 0x01234567) >>> 20);
    }

    /** First word of Philox4x32-10 with counter (position, choice, 0, 0). */
    private static int philox(int position, int choice, int low, int high) {
        int[] c = {position, choice, 0, 0};
        for (int round = 0; round < 10; round++) {
            long a = 0xD2511F53L * (c[0] & 0xffffffffL);
            long b = 0xCD9E8D57L * (c[2] & 0xffffffffL);
            int k0 = low + round * 0x9E3779B9;
            int k1 = high + round * 0xBB67AE85;
            c = new int[] {(int) (b >> 32) ^ c[1] ^ k0, (int) b, (int) (a >> 32) ^ c[3] ^ k1, (int) a};
        }
        return c[0];
    }

    @Test
    default void equalKeysGiveEqualTokensInAnyBatch() {
        float[] logits = Kit.random(1, 500);
        int[] together = new Draw(1, 0.95f, 1234567890123L, 1).tokens(kit(), logits, 40);
        assertThat(new Draw(1, 0.95f, 1234567890123L, 1).tokens(kit(), logits, 40))
                .isEqualTo(together);
        for (int position : new int[] {0, 17, 39}) {
            int[] alone = new Draw(1, 0.95f, 1234567890123L, 1)
                    .sample(kit(), kit().floats(logits, 1, 500), 1, position, new int[2], new int[1], new float[1]);
            assertThat(alone[0]).isEqualTo(together[position]);
        }
        assertThat(new Draw(1, 0.95f, 1234567890124L, 1).tokens(kit(), logits, 40))
                .isNotEqualTo(together);
        assertThat(new Draw(1, 0.95f, 1234567890123L, 2).tokens(kit(), logits, 40))
                .isNotEqualTo(together);
    }

    @Test
    default void adjustmentsComeBeforeEverythingElse() {
        Tensor logits = kit().floats(new float[] {1, 2, 3, 1, 2, 3, 1, 2, 3}, 3, 3);
        int[] tokens = new Draw(0, 1, 0, 0)
                .sample(kit(), logits, 3, 0, new int[] {0, 3, 3, 4}, new int[] {2, 0, 2, 1}, new float[] {
                    -1, 2.5f, -1, 9
                });
        assertThat(tokens).containsExactly(0, 2, 1);
        assertThat(kit().read(logits)).containsExactly(3.5f, 2, 1, 1, 2, 3, 1, 11, 3);
    }

    @Test
    default void temperaturesOfOneBatchDoNotMeet() {
        float[] row = logs(0.5, 0.3, 0.2);
        float[] all = new float[6];
        System.arraycopy(row, 0, all, 0, 3);
        System.arraycopy(row, 0, all, 3, 3);
        Tensor ids = kit().poisoned(DType.INT32, 2);
        for (int position = 0; position < 20; position++) {
            kit().kernels()
                    .sample(
                            kit().floats(all, 2, 3),
                            new Sampling(
                                    kit().ints(new int[3]),
                                    kit().ints(new int[1]),
                                    kit().floats(new float[1], 1),
                                    kit().floats(new float[] {0, 1}, 2),
                                    kit().floats(new float[] {1, 1}, 2),
                                    kit().ints(new int[4], 2, 2),
                                    kit().ints(new int[2]),
                                    kit().ints(new int[] {position, position})),
                            ids);
            int[] tokens = kit().readInts(ids);
            assertThat(tokens[0]).isZero();
            double u = (philox(position, 0, 0, 0) >>> 8) * 0x1p-24;
            assertThat(tokens[1]).isEqualTo(u < 0.5 ? 0 : u < 0.8 ? 1 : 2);
        }
    }

    @Test
    default void logProbabilitiesAreTheLogSoftmaxAndTheTopIsDescendingWithTiesToTheLowerId() {
        float[] logits = Kit.scaled(Kit.random(5, 3 * 301), 4);
        logits[301 + 7] = logits[301 + 3] = 40;
        int[] ids = {0, 300, 150};
        Tensor chosen = kit().poisoned(DType.FP32, 3);
        Tensor topIds = kit().poisoned(DType.INT32, 3, 5);
        Tensor top = kit().poisoned(DType.FP32, 3, 5);

        kit().kernels().logProbabilities(kit().floats(logits, 3, 301), kit().ints(ids), chosen, topIds, top);

        float[] chosenValues = kit().written(chosen);
        float[] topValues = kit().written(top);
        int[] topTokens = kit().writtenInts(topIds);
        for (int row = 0; row < 3; row++) {
            float[] one = Arrays.copyOfRange(logits, row * 301, (row + 1) * 301);
            double sum = 0;
            for (float logit : one) {
                sum += Math.exp(logit);
            }
            assertThat(chosenValues[row]).isCloseTo((float) (one[ids[row]] - Math.log(sum)), within(1e-4f));
            int[] order = IntStream.range(0, 301)
                    .boxed()
                    .sorted((a, b) -> Float.compare(one[b], one[a]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            for (int k = 0; k < 5; k++) {
                assertThat(topTokens[row * 5 + k]).isEqualTo(order[k]);
                assertThat(topValues[row * 5 + k]).isCloseTo((float) (one[order[k]] - Math.log(sum)), within(1e-4f));
            }
        }
        assertThat(topTokens[5]).isEqualTo(3);
    }

    @Test
    default void logProbabilitiesOfWholeRowsWithInfinitiesAndNaNAreDefined() {
        float inf = Float.NEGATIVE_INFINITY;
        Tensor logits = kit().floats(new float[] {inf, 2, Float.NaN, inf}, 1, 4);
        Tensor chosen = kit().poisoned(DType.FP32, 1);
        Tensor topIds = kit().poisoned(DType.INT32, 1, 4);
        Tensor top = kit().poisoned(DType.FP32, 1, 4);
        kit().kernels().logProbabilities(logits, kit().ints(new int[] {1}), chosen, topIds, top);
        assertThat(kit().written(chosen)).containsExactly(0);
        assertThat(kit().writtenInts(topIds)).containsExactly(1, 0, 2, 3);
        assertThat(kit().written(top)).containsExactly(0, inf, inf, inf);
    }

    @Test
    default void logProbabilitiesOfATokenOutsideTheVocabularyAreRefused() {
        Tensor logits = kit().floats(new float[] {1, 2, 3}, 1, 3);
        assertThatThrownBy(() -> {
                    kit().kernels()
                            .logProbabilities(
                                    logits,
                                    kit().ints(new int[] {3}),
                                    kit().poisoned(DType.FP32, 1),
                                    kit().poisoned(DType.INT32, 1, 1),
                                    kit().poisoned(DType.FP32, 1, 1));
                    kit().kernels().synchronize();
                })
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("logProbabilities")
                .hasMessageContaining("3");
    }

    @Test
    default void tokensOfEqualWeightAreOrderedByTheirLogits() {
        // Both weights are exactly 1: the difference of the logits is lost in the exponential.
        float[] logits = {0, 1e-20f, -50};
        assertThat(new Draw(1, 0.5f, 3, 0).tokens(kit(), logits, 100)).containsOnly(1);
        int[] both = new Draw(1, 1, 0, 0).tokens(kit(), logits, 100);
        for (int position = 0; position < both.length; position++) {
            assertThat(both[position]).isEqualTo(philox(position, 0, 0, 0) >= 0 ? 1 : 0);
        }
    }

    @Test
    default void weightsThatUnderflowAreNeverDrawn() {
        float infinite = Float.NEGATIVE_INFINITY;
        assertThat(new Draw(1, 1, 3, 0).tokens(kit(), new float[] {-800, infinite, 0, -900, Float.NaN}, 200))
                .containsOnly(2);
        assertThat(new Draw(1e-30f, 1, 3, 0).tokens(kit(), new float[] {1, 2, 1.9999999f, 2}, 200))
                .containsOnly(1, 3);
        assertThat(new Draw(Float.MIN_VALUE, 0.9f, 3, 0).tokens(kit(), new float[] {-3e38f, 3e38f, 0}, 50))
                .containsOnly(1);
    }

    @Test
    default void drawsFollowTheListedSteps() {
        int vocabulary = 3000;
        float[] logits = Kit.scaled(Kit.random(11, vocabulary), 3);
        for (int v = 0; v < vocabulary; v += 7) {
            logits[v] = logits[v / 2];
        }
        logits[17] = Float.NaN;
        logits[18] = Float.NEGATIVE_INFINITY;
        for (float temperature : new float[] {0.3f, 1, 5}) {
            for (float topP : new float[] {0.05f, 0.5f, 0.9f, 0.9999999f, 1}) {
                int[] tokens = new Draw(temperature, topP, 0, 0).tokens(kit(), logits, 40);
                for (int position = 0; position < tokens.length; position++) {
                    double u = (philox(position, 0, 0, 0) >>> 8) * 0x1p-24;
                    assertThat(tokens[position])
                            .as("temperature %s, topP %s, position %d", temperature, topP, position)
                            .isEqualTo(drawn(logits, temperature, topP, u));
                }
            }
        }
    }

    /** Steps 3, 4 and 6 of {@link Sampling}. */
    private static int drawn(float[] logits, float temperature, float topP, double u) {
        double[] known = new double[logits.length];
        for (int v = 0; v < known.length; v++) {
            known[v] = Float.isNaN(logits[v]) ? Double.NEGATIVE_INFINITY : logits[v];
        }
        int[] order = IntStream.range(0, known.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer v) -> -known[v]))
                .mapToInt(v -> v)
                .toArray();
        double[] running = new double[order.length];
        double total = 0;
        for (int r = 0; r < order.length; r++) {
            total += Math.exp((known[order[r]] - known[order[0]]) / temperature);
            running[r] = total;
        }
        int last = 0;
        while (last < order.length - 1 && running[last] < topP * total) {
            last++;
        }
        for (int r = 0; r < last; r++) {
            if (running[r] > u * running[last]) {
                return order[r];
            }
        }
        return order[last];
    }
}
