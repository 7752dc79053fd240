package dev.plumbline.recall.suite;

import dev.plumbline.document.DocumentException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the cells of a stratum ask. */
public enum Task {
    /** One fact, nothing like it besides. */
    SINGLE,
    /** One of several facts whose keys differ in one word. */
    MULTIKEY,
    /** All values of one key, in the order of the text. */
    MULTIVALUE,
    /** The values of three keys, in the order of the question. */
    MULTIQUERY,
    /** A value that the key asked has only by way of others. */
    VARIABLE_TRACKING,
    /** One of several settings in a text of configuration files. */
    CONFIG_FILE,
    /** A fact of the first turn, asked about after other turns. */
    MULTI_TURN;

    /** As suites spell it, such as {@code variable-tracking}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether several cells may ask about one text. They then share all of the prompt but its end. */
    public boolean sharesTexts() {
        return this == MULTIKEY || this == CONFIG_FILE;
    }

    /**
     * The task of a label.
     *
     * @throws DocumentException listing the allowed labels
     */
    static Task of(String field, String label) {
        return Arrays.stream(values())
                .filter(task -> task.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new DocumentException(
                        field,
                        "Invalid value for '" + field + "': " + label + "; allowed: "
                                + Arrays.stream(values()).map(Task::label).collect(Collectors.joining(", ")) + "."));
    }
}
