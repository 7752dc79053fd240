package dev.plumbline.recall.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far a run has come. */
public enum RunState {
    /** No server has taken it up. */
    WAITING,
    /** Cells are being asked. */
    RUNNING,
    /** Every cell has a result. */
    FINISHED,
    /** Somebody ended it; cells without a result stay so. */
    CANCELLED,
    /** It could not be asked at all; the failure says why. */
    FAILED;

    /** Whether nothing will change any more. */
    public boolean ended() {
        return this != WAITING && this != RUNNING;
    }

    /** Its name in the API and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The state of that name. */
    public static Optional<RunState> of(String text) {
        return Arrays.stream(values())
                .filter(state -> state.text().equals(text))
                .findFirst();
    }
}
