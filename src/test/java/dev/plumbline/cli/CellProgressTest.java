package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CellProgressTest {

    @Test
    void aLineSaysHowLongTheRestTakes() {
        assertThat(CellProgress.line("gate", 0.25, 30, "baseline@1, 9 of 9 right"))
                .isEqualTo("gate: 25 %, baseline@1, 9 of 9 right, about 1:30 left");
    }

    @Test
    void theFirstCellsForetellNothing() {
        assertThat(CellProgress.line("gate", 0.01, 10, "baseline@1, 1 of 1 right"))
                .isEqualTo("gate: 1 %, baseline@1, 1 of 1 right");
    }
}
