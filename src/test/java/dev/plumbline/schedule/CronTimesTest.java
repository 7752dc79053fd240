package dev.plumbline.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.document.DocumentException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times of clocks. */
class CronTimesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nightly      | UTC              | 2026-03-01T01:00:00Z | 2026-03-01T02:00:00Z",
                "nightly      | Europe/Berlin    | 2026-07-01T01:00:00Z | 2026-07-02T00:00:00Z",
                "30 2 * * MON | America/New_York | 2026-01-01T00:00:00Z | 2026-01-05T07:30:00Z",
                "*/15 * * * * | UTC              | 2026-01-01T00:14:59Z | 2026-01-01T00:15:00Z",
                "0 0 29 2 *   | UTC              | 2026-01-01T00:00:00Z | 2028-02-29T00:00:00Z",
                "0 0 1 * *    | +05:30           | 2026-01-01T00:00:00Z | 2026-01-31T18:30:00Z"
            })
    void theNextTimeIsThatOfTheZonesClock(String cron, String zone, Instant after, Instant next) {
        assertThat(CronTimes.parse(cron, zone).next(after)).contains(next);
    }

    @Test
    void aTimeThatTheClockShowsTwiceComesOnce() {
        // given: the night in which 2:30 comes twice in Berlin
        CronTimes times = CronTimes.parse("30 2 * * *", "Europe/Berlin");

        // when
        Instant first = times.next(Instant.parse("2026-10-24T22:00:00Z")).orElseThrow();
        Instant second = times.next(first).orElseThrow();

        // then
        assertThat(first).isEqualTo("2026-10-25T00:30:00Z");
        assertThat(second).isEqualTo("2026-10-26T01:30:00Z");
        assertThat(CronTimes.parse("30 * * * *", "Europe/Berlin").next(first))
                .as("every hour is every hour")
                .contains(Instant.parse("2026-10-25T01:30:00Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "* * * *",
                "* * * * * *",
                "60 0 * * *",
                "0 25 * * *",
                "0 0 30 2 *",
                "@daily",
                "0 0 * * FOO",
                "x"
            })
    void wrongTimesAreRefusedWithWhatIsAllowed(String cron) {
        assertThatThrownBy(() -> CronTimes.parse(cron, "UTC"))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("'cron': '" + cron + "'")
                .hasMessageContaining("allowed: nightly (0 2 * * *), or five fields");
    }

    @Test
    void aWrongZoneIsRefusedWithNearNames() {
        assertThatThrownBy(() -> CronTimes.parse("nightly", "Europe/Berln"))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("'zone': 'Europe/Berln'")
                .hasMessageContaining("near it are: Europe/Berlin");
    }
}
