package dev.plumbline.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadableTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "1023, 1023 B",
        "1024, 1.0 KiB",
        "1048524, 1023.9 KiB",
        "1048575, 1.0 MiB",
        "201326592, 192.0 MiB",
        "1099511627776, 1.0 TiB",
        "9223372036854775807, 8388608.0 TiB",
    })
    void bytesComeInTheLargestFittingUnit(long bytes, String written) {
        assertThat(Readable.bytes(bytes)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "59, 59 s",
        "60, 1 min 0 s",
        "3599, 59 min 59 s",
        "3661, 1 h 1 min",
        "90000, 1 d 1 h",
    })
    void timesComeInTheirTwoLargestUnits(long seconds, String written) {
        assertThat(Readable.duration(Duration.ofSeconds(seconds))).isEqualTo(written);
    }
}
