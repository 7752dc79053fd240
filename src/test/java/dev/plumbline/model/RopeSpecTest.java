package dev.plumbline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import org.junit.jupiter.api.Test;

class RopeSpecTest {

    @Test
    void mainFrequenciesArePlainPowersOfTheBase() {
        // given the release's sliding-only layers
        RopeSpec rope = new RopeSpec(64, 10000, null);

        // when
        float[] omega = rope.frequencies();

        // then
        assertThat(omega).hasSize(32);
        assertThat(omega[0]).isEqualTo(1f);
        near(omega[1], 0.74989420);
        near(omega[8], 0.1);
        near(omega[31], 1.333521504e-4);
    }

    @Test
    void compressFrequenciesFollowYarnBetweenTheTwoCorrectionDims() {
        // given the release's CSA and HCA layers
        RopeSpec rope = new RopeSpec(64, 160000, new RopeSpec.Yarn(16, 65536, 32, 1));

        // when
        float[] omega = rope.frequencies();

        // then the values are those of the reference
        near(omega[1], 0.68765604);
        near(omega[15], 0.003635538509);
        near(omega[16], 0.002265624935);
        near(omega[20], 2.969777852e-4);
        near(omega[25], 5.372312444e-6);
        near(omega[26], 3.694303359e-6);
        near(omega[31], 5.680529398e-7);
    }

    private static void near(float actual, double expected) {
        assertThat((double) actual).isCloseTo(expected, withPercentage(5e-5));
    }
}
