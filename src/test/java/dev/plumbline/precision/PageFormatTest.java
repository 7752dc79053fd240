package dev.plumbline.precision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Offsets in a page, at the published sizes and at odd ones. */
class PageFormatTest {

    @ParameterizedTest
    @CsvSource({
        "FP32, 128, 512, 0, 32768, 32768",
        "BF16, 128, 256, 0, 16384, 16384",
        "FP8, 128, 128, 4, 8192, 8448",
        "MXFP4, 128, 64, 4, 4096, 4352",
        "FP8, 14, 14, 4, 896, 1152",
        "MXFP4, 14, 7, 1, 448, 512",
        "MXFP4, 40, 20, 2, 1280, 1408"
    })
    void indexKeysLieRowByRowAndTheirScalesBehindThem(
            StorageType type, int width, int row, int scales, long scalesAt, long page) {
        PageFormat format = PageFormat.indexKeys(type, width);

        assertThat(format.rowBytes()).isEqualTo(row);
        assertThat(format.scaleBytes()).isEqualTo(scales);
        assertThat(format.rowOffset(63)).isEqualTo(63L * row);
        assertThat(format.scaleOffset(0)).isEqualTo(scalesAt);
        assertThat(format.scaleOffset(63)).isEqualTo(scalesAt + 63L * scales);
        assertThat(format.bytes()).isEqualTo(page);
        assertThat(format.type()).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({"512, 64, 64, 7, 576, 584", "128, 32, 128, 2, 160, 168", "20, 6, 5, 1, 26, 34", "8, 8, 1, 0, 16, 16"})
    void keyValuesInFp8KeepTheirRotatedDimsInBf16(int width, int rotated, int rows, int scales, int numbers, int each) {
        PageFormat format = PageFormat.keyValues(StorageType.FP8, rows, width, rotated);

        assertThat(format.scales()).isEqualTo(scales);
        assertThat(format.rowBytes()).isEqualTo(numbers);
        assertThat(format.scaleOffset(0)).isEqualTo((long) rows * numbers);
        assertThat(format.bytes()).isEqualTo((long) rows * each);
    }

    @Test
    void offsetsHave64Bits() {
        PageFormat format = PageFormat.keyValues(StorageType.FP32, 1 << 22, 1024, 64);

        assertThat(format.bytes()).isEqualTo(1L << 34);
        assertThat(format.rowOffset((1 << 22) - 1)).isEqualTo((1L << 34) - 4096);
    }

    @ParameterizedTest
    @CsvSource({"INDEX_MXFP4, 64, 15, 0", "KV_FP8, 64, 31, 8", "KV_FP8, 64, 32, 7", "BF16, 64, 32, 8", "FP32, 0, 8, 0"})
    void pagesThatCannotBeAreRefused(PageFormat.Layout layout, int rows, int width, int rotated) {
        assertThatThrownBy(() -> new PageFormat(layout, rows, width, rotated))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rotated");
    }
}
