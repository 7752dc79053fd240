package dev.plumbline.schedule;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.NearNames;
import dev.plumbline.document.Words;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.scheduling.support.CronExpression;

/**
 * Times of a clock.
 *
 * @param cron minute, hour, day of month, month, day of week
 * @param zone whose clock it is
 */
record CronTimes(String cron, ZoneId zone) {
    static final String ALLOWED =
            "nightly (0 2 * * *), or five fields: minute hour day-of-month month day-of-week, such as"
                    + " 30 2 * * MON-FRI";

    private static final String NIGHTLY = "nightly";
    private static final String NIGHTLY_CRON = "0 2 * * *";
    private static final int FIELDS = 5;

    /**
     * Reads both.
     *
     * @throws DocumentException naming the field, its value and what is allowed
     */
    static CronTimes parse(String cron, String zone) {
        String written = cron.equals(NIGHTLY) ? NIGHTLY_CRON : cron.strip().replaceAll("\\s+", " ");
        CronTimes times = new CronTimes(written, zone(zone));
        try {
            if (written.split(" ").length != FIELDS) {
                throw new IllegalArgumentException("it has " + written.split(" ").length + " fields");
            }
            if (times.next(Instant.now()).isEmpty()) {
                throw new IllegalArgumentException("no day is such a day");
            }
        } catch (IllegalArgumentException e) {
            throw new DocumentException(
                    "cron",
                    "Invalid value for 'cron': '" + Words.shown(cron) + "' ("
                            + Words.shown(String.valueOf(e.getMessage())) + "); allowed: " + ALLOWED + ".");
        }
        return times;
    }

    /**
     * The zone of a name.
     *
     * @throws DocumentException with near names
     */
    static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            List<String> near = NearNames.of(name, List.copyOf(ZoneId.getAvailableZoneIds()));
            throw new DocumentException(
                    "zone",
                    "Invalid value for 'zone': '" + Words.shown(name) + "'"
                            + (near.isEmpty() ? "" : "; near it are: " + String.join(", ", near))
                            + "; allowed: a name such as Europe/Berlin or UTC.");
        }
    }

    /**
     * The first time after another. What the clock skips in spring is moved or left out by Spring's rules; an hour that it
     * shows twice in autumn counts once, unless every hour is meant.
     *
     * @throws IllegalArgumentException if the fields are no cron expression
     */
    Optional<Instant> next(Instant after) {
        // Spring's have seconds.
        CronExpression expression = CronExpression.parse("0 " + cron);
        ZonedDateTime next = expression.next(after.atZone(zone));
        boolean everyHour = cron.split(" ")[1].startsWith("*");
        while (next != null && !everyHour && !next.equals(next.withEarlierOffsetAtOverlap())) {
            next = expression.next(next);
        }
        return Optional.ofNullable(next).map(ZonedDateTime::toInstant);
    }
}
