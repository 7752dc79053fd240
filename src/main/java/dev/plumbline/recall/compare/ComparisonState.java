package dev.plumbline.recall.compare;

import java.util.Locale;

/** How far a comparison has come. */
public enum ComparisonState {
    /** Both sides are asked, and the baseline once more. */
    RUNNING,
    /** Answers seem lost: fresh cells are asked. */
    CONFIRMING,
    /** There is a verdict. */
    FINISHED,
    /** There will be none; the failure says why. */
    FAILED;

    /** Whether nothing will change any more. */
    public boolean ended() {
        return this == FINISHED || this == FAILED;
    }

    /** Its name in the API and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
