package dev.plumbline.recall.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SignFlipTest {

    @Test
    void itCountsEverySignAssignment() {
        SplittableRandom random = new SplittableRandom(6);
        for (int round = 0; round < 200; round++) {
            int[] net = random.ints(random.nextInt(1, 13), -4, 6).toArray();

            assertThat(SignFlip.oneSided(net)).as(Arrays.toString(net)).isCloseTo(enumerated(net), within(1e-12));
        }
    }

    @Test
    void sixteenHaystacksThatAllLoseAreAsUnlikelyAsSixteenHeads() {
        int[] net = new int[16];
        Arrays.fill(net, 3);

        assertThat(SignFlip.oneSided(net)).isCloseTo(Math.pow(2, -16), within(1e-18));
    }

    @Test
    void manyLossesOfOneHaystackAreOneEvent() {
        PairedCounts counts = new PairedCounts(120, 8, 0, 0);

        assertThat(McNemar.oneSided(counts)).isLessThan(0.01);
        assertThat(SignFlip.oneSided(8, 0, 0, 0, 0, 0, 0, 0)).isEqualTo(0.5);
    }

    @Test
    void withOneCellPerHaystackItIsMcNemarsTest() {
        for (int lost = 0; lost <= 12; lost++) {
            for (int gained = 0; gained <= 8; gained++) {
                int[] net = new int[30];
                Arrays.fill(net, 0, lost, 1);
                Arrays.fill(net, lost, lost + gained, -1);

                assertThat(SignFlip.oneSided(net))
                        .isCloseTo(McNemar.oneSided(new PairedCounts(0, lost, gained, 0)), within(1e-12));
            }
        }
    }

    @Test
    void tiesCountAsAtLeastAsLarge() {
        assertThat(SignFlip.oneSided()).isEqualTo(1);
        assertThat(SignFlip.oneSided(0, 0, 0)).isEqualTo(1);
        assertThat(SignFlip.oneSided(1, -1)).isEqualTo(0.75);
        assertThat(SignFlip.oneSided(-2, -1)).isEqualTo(1);
    }

    @Test
    void aThousandHaystacksAreNoneTooMany() {
        int[] net = new int[1000];
        Arrays.setAll(net, i -> i % 2 == 0 ? 1 : -1);

        assertThat(SignFlip.oneSided(net)).isCloseTo(0.5126, within(1e-4));
    }

    private static double enumerated(int[] net) {
        int observed = Arrays.stream(net).sum();
        int atLeast = 0;
        for (int signs = 0; signs < 1 << net.length; signs++) {
            int sum = 0;
            for (int i = 0; i < net.length; i++) {
                sum += (signs >> i & 1) == 0 ? net[i] : -net[i];
            }
            atLeast += sum >= observed ? 1 : 0;
        }
        return (double) atLeast / (1 << net.length);
    }
}
