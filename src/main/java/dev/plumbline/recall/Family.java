package dev.plumbline.recall;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a cell asks of the model. */
public enum Family {
    /** One fact. */
    SINGLE,
    /** One fact among look-alikes whose keys differ in one word. */
    MANY_KEYS,
    /** Two or three values of one key, asked for in the order of the text. */
    SEVERAL_VALUES,
    /** The same fact eight times. */
    REPEATED,
    /** A fact of the first turn, asked about after other turns. */
    EARLIER_TURN,
    /** Only look-alikes; the right answer is that the text does not say. */
    ABSENT;

    /** As the command line and reports spell it, such as {@code many-keys}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The family of a label.
     *
     * @throws IllegalArgumentException listing the allowed labels
     */
    public static Family of(String label) {
        return Arrays.stream(values())
                .filter(family -> family.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(label + " is no task family; allowed: "
                        + Arrays.stream(values()).map(Family::label).collect(Collectors.joining(", "))));
    }
}
