package dev.plumbline.schedule;

import java.util.Locale;

/** What a firing found. */
public enum Verdict {
    SAFE,
    REGRESSION,
    NOT_ENOUGH_EVIDENCE,
    /** Nothing could be compared. */
    ERROR;

    /** Its name in the API and in the database. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Verdict of(String word) {
        return word == null ? null : valueOf(word.toUpperCase(Locale.ROOT));
    }
}
