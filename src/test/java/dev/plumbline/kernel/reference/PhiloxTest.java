package dev.plumbline.kernel.reference;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PhiloxTest {

    @Test
    void matchesThePublishedVectorOfZeros() {
        assertThat(Philox.block(0, 0, 0, 0, 0, 0)).containsExactly(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
    }

    @Test
    void matchesThePublishedVectorOfOnes() {
        assertThat(Philox.block(-1, -1, -1, -1, -1, -1))
                .containsExactly(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
    }

    @Test
    void matchesThePublishedVectorOfPi() {
        assertThat(Philox.block(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0))
                .containsExactly(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
    }

    @Test
    void uniformIsAMultipleOfTwoToTheMinus24BelowOne() {
        for (int position = 0; position < 1000; position++) {
            double u = Philox.uniform(position, 3, 5, 7);
            assertThat(u).isBetween(0.0, 1 - 0x1p-24);
            assertThat(u * 0x1p24).isEqualTo(Math.rint(u * 0x1p24));
        }
    }
}
