package dev.plumbline.precision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes of rows, pages and requests against numbers that serving engines publish. */
class CacheLayoutTest {
    private static final Architecture FLASH = Architecture.V4_FLASH;

    @ParameterizedTest
    @CsvSource({"FP32, 512, 32768", "BF16, 256, 16384", "FP8, 132, 8448", "MXFP4, 68, 4352"})
    void anIndexKeyOfFlashTakesThePublishedBytes(StorageType type, int row, int page) {
        // when
        RowFormat format = RowFormat.indexKey(type, FLASH.indexHeadDim());

        // then
        assertThat(format.bytes()).isEqualTo(row);
        assertThat(format.pageBytes()).isEqualTo(page);
    }

    @ParameterizedTest
    @CsvSource({"FP32, 2048", "BF16, 1024", "FP8, 584"})
    void aKeyValueRowOfFlashTakesThePublishedBytes(StorageType type, int row) {
        assertThat(RowFormat.keyValue(type, FLASH.headDim(), FLASH.ropeDims()).bytes())
                .isEqualTo(row);
    }

    @Test
    void scalesLieBehindTheValuesOfAPage() {
        assertThat(RowFormat.indexKey(StorageType.FP8, 128).pageScalesAt()).isEqualTo(64 * 128);
        assertThat(RowFormat.keyValue(StorageType.FP8, 512, 64).pageScalesAt()).isEqualTo(64 * 576);
    }

    @Test
    void partialBlocksHaveAScaleOfTheirOwn() {
        // a row of 24 + 8 dims: 24 bytes, 8 bf16, one scale, padded; a key of 40: 20 bytes, two scales
        assertThat(RowFormat.keyValue(StorageType.FP8, 32, 8)).isEqualTo(new RowFormat(40, 8));
        assertThat(RowFormat.keyValue(StorageType.FP8, 72, 6)).isEqualTo(new RowFormat(78, 8));
        assertThat(RowFormat.indexKey(StorageType.MXFP4, 40)).isEqualTo(new RowFormat(20, 2));
    }

    @Test
    void keyValuesHaveNoMxfp4() {
        assertThatThrownBy(() -> RowFormat.keyValue(StorageType.MXFP4, 512, 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kv_dtype is mxfp4; allowed: fp32, bf16, fp8");
    }

    @Test
    void aRequestIsItsRingsAndItsPages() {
        // given rows of 584 and 132 bytes
        CacheLayout layout = layout(StorageType.FP8, StorageType.FP8);

        // when 100 tokens have been read: 25 CSA entries of a page of 64, no HCA entry
        Map<Pool, Long> bytes = layout.requestBytes(100);

        // then
        assertThat(bytes)
                .containsEntry(Pool.WINDOW, 43L * 128 * 584)
                .containsEntry(Pool.CSA_ENTRIES, 21L * 25 * 584)
                .containsEntry(Pool.INDEX_KEYS, 21L * 25 * 132)
                .containsEntry(Pool.HCA_ENTRIES, 0L)
                .containsEntry(Pool.CSA_STATE, 21L * 8 * (4 * 512 + 4 * 128) * 4)
                .containsEntry(Pool.HCA_STATE, 20L * 128 * 2 * 512 * 4)
                .containsEntry(Pool.PAGE_PADDING, 21L * (64 - 25) * (584 + 132));
    }

    @ParameterizedTest
    @CsvSource({"255, 1", "256, 1", "259, 1", "260, 2", "512, 2"})
    void aPageOfCsaEntriesLasts256Tokens(long tokens, long pages) {
        assertThat(layout(StorageType.BF16, StorageType.BF16).csaPages(tokens)).isEqualTo(pages);
    }

    @ParameterizedTest
    @CsvSource({"FP32, 336", "BF16, 168", "FP8, 86.625", "MXFP4, 44.625"})
    void theIndexKeysOfALongRequestTakeThePublishedMebibytes(StorageType type, double mebibytes) {
        // given full pages: 128K tokens are 512 of them
        CacheLayout layout = layout(StorageType.FP8, type);

        // then
        assertThat(layout.requestBytes(128 << 10))
                .containsEntry(Pool.INDEX_KEYS, (long) (mebibytes * (1 << 20)))
                .containsEntry(Pool.PAGE_PADDING, 0L);
    }

    @Test
    void aMillionTokensInFp32AreMoreThanAnIntHolds() {
        assertThat(layout(StorageType.FP32, StorageType.FP32).requestBytes(1 << 20))
                .containsEntry(Pool.CSA_ENTRIES, 21L * 262_144 * 2048);
    }

    private static CacheLayout layout(StorageType keyValues, StorageType indexKeys) {
        return new CacheLayout(
                FLASH,
                RowFormat.keyValue(keyValues, FLASH.headDim(), FLASH.ropeDims()),
                RowFormat.indexKey(indexKeys, FLASH.indexHeadDim()));
    }
}
