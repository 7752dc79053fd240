package dev.plumbline.console;

import java.time.Duration;
import java.util.Locale;

/** Numbers as the page writes them, the same in every country. */
final class Readable {
    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB"};
    private static final int KIBI = 1024;

    private Readable() {}

    /** A number with its thousands set apart. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Bytes in the largest unit that leaves at least 1. */
    static String bytes(long bytes) {
        if (bytes < KIBI) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        // What would be written as 1024.0 goes to the next unit.
        while (value >= KIBI - 0.05 && unit < UNITS.length - 1) {
            value /= KIBI;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }

    /** A time with its two largest units. */
    static String duration(Duration time) {
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        if (time.toMinutes() > 0) {
            return time.toMinutes() + " min " + time.toSecondsPart() + " s";
        }
        return time.toSeconds() + " s";
    }
}
