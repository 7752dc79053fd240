package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecodeShapeTest {

    @ParameterizedTest
    @CsvSource({
        "1, 1, 16, 24576, 1, 256",
        "2, 256, 16, 24576, 2, 256",
        "3, 257, 16, 24576, 4, 512",
        "9, 4096, 16, 24576, 16, 4096",
        "17, 20000, 24, 24576, 24, 24576",
        "1, 100, 1, 200, 1, 200",
        "5, 1500000000, 6, 2000000000, 6, 1500000000"
    })
    void stepsAreRoundedUpWithinTheLimits(
            int rows, int context, int mostRows, int mostContext, int shapeRows, int shapeContext) {
        assertThat(DecodeShape.of(rows, context, mostRows, mostContext))
                .isEqualTo(new DecodeShape(shapeRows, shapeContext));
    }
}
