package dev.plumbline.recall.run;

import java.util.Locale;

/** What a run is for. */
public enum Purpose {
    /** Somebody asked for it. */
    MANUAL,
    /** A side of a comparison. */
    GATE,
    /** A side of a comparison that a schedule began. */
    SCHEDULE,
    /** Fresh cells, to see whether a loss repeats. */
    CONFIRMATION,
    /** The baseline once more, to see how much it differs from itself; it shares no cache with other runs. */
    NOISE;

    /** Its name in the API and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
